import { fork } from 'node:child_process'
import { on } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const CHILD = join(import.meta.dirname, '../test/hot-function.child.ts')

it('a Bird has V8 optimize nothing for a moment of work, and all that is hot under load', async () => {
  // Compiled at once: another thread might get no processor meanwhile.
  const flags = ['--allow-natives-syntax', '--no-concurrent-recompilation']
  const child = fork(CHILD, { execArgv: [...flags, '--disable-warning=ExperimentalWarning'] })
  onTestFinished(() => void child.kill())
  const said: unknown[] = []
  for await (const [message] of on(child, 'message', { close: ['exit'] })) said.push(message)
  expect(said).toEqual([{ isOptimized: false }, { isOptimized: true }])
})
