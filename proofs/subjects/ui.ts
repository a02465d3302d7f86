// The page in a real browser: all of its tests, with every incident of the hostile corpus opened, and every control of
// every page clicked by each role.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { root } from '../../tools/clone.mjs'
import { run } from '../lib/command.ts'
import type { Proof } from '../proof.ts'

const proof: Proof = {
  title: 'people and keyboards, small windows, cut streams and hostile texts find the page whole',
  limitMs: 1_800_000,
  async prove({ say }) {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const env = { ...process.env, CI: '1', ROOKERY_PROOF: '1' }
    const { code, stdout, stderr } = await run(
      process.execPath,
      [vitest, 'run', '--root', root, 'packages/web'],
      {
        env,
        patienceMs: 1_780_000,
      },
    )
    assert.equal(code, 0, `${stdout}\n${stderr}`)
    for (const [line] of stdout.matchAll(/^(?:journey|clicks): .*$/gm)) say(line)
    say(/Tests .*/.exec(stdout)?.[0] ?? '')
  },
}

export default proof
