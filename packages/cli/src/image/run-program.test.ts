import { expect, it } from 'vitest'
import { runProgram } from './run-program.ts'

it('a program that fails is named with the end of what it said; a full disk says what to do', async () => {
  expect(await runProgram(['sh', '-c', 'echo done'])).toBe('done\n')
  const failing = (words: string) => runProgram(['sh', '-c', `echo "${words}" >&2; exit 3`])
  await expect(failing('E: no such suite')).rejects.toThrow('sh ended with 3. It said:\nE: no such suite')
  await expect(failing('dd: /x: No space left on device')).rejects.toThrow(
    'sh ended with 3. The disk is full. Free some space, or name another folder by --out.',
  )
  await expect(runProgram(['no-such-program'])).rejects.toThrow(
    'no-such-program: spawn no-such-program ENOENT',
  )
})
