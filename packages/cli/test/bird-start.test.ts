// What the process of a Bird holds from its start on (docs/decisions/0027).
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { testConsole } from '@rookery/bird/test/test-console.ts'
import { begin, newFolder } from './run-rookery.ts'

it('a Bird that starts loads neither V8’s optimizing compiler nor time zones', async () => {
  const console = await testConsole()
  onTestFinished(() => console.stop())
  console.isCommissioned = true
  const { child, ended } = begin(['bird', '--console', console.url, '--port-offset', '20000'], {
    ROOKERY_DATA_DIR: newFolder(),
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'bird-start.preload.mjs')}`,
    // Compiled under other flags than those of a user.
    NODE_DISABLE_COMPILE_CACHE: '1',
  })
  await console.frame('HELLO')
  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/for optimization to MAGLEV/)
  expect(stdout).not.toMatch(/TURBOFAN/)
  expect(stdout).not.toMatch(/time zones are loaded/)
})
