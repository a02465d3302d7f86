// The page in a real browser: all of its tests, with every incident of the hostile corpus opened, and every control of
// every page clicked by each role; then each journey once more by keys alone, in the dark, and with the stream cut.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { root } from '../../tools/clone.mjs'
import { run } from './lib/command.ts'
import type { Proof } from './lib/proof.ts'

/** The claims of a journey name their clicks. */
const RUNS = [
  { form: 'mouse', only: [] },
  ...['keyboard', 'dark', 'cut'].map((form) => ({ form, only: ['-t', 'clicks'] })),
]

const proof: Proof = {
  title: 'people and keyboards, small windows, cut streams and hostile texts find the page whole',
  limitMs: 2_700_000,
  async prove({ say }) {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    for (const { form, only } of RUNS) {
      const env = { ...process.env, CI: '1', ROOKERY_PROOF: '1', ROOKERY_FORM: form }
      const { code, stdout, stderr } = await run(
        process.execPath,
        [vitest, 'run', '--root', root, 'packages/web', '--silent=false', ...only],
        { env, patienceMs: 1_780_000 },
      )
      assert.equal(code, 0, `${stdout}\n${stderr}`)
      for (const [line] of stdout.matchAll(/(?:journey|clicked): .*/g)) say(line)
      say(/Tests .*/.exec(stdout)?.[0] ?? '')
    }
  },
}

export default proof
