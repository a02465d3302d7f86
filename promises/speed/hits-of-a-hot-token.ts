// History costs nothing: one hot token after 100,000 hits, against many tokens in the same run.
import { atLeast, exactly, type Case, type Result } from '../rig/case.ts'
import { againstCommitBefore } from './lib/commit-before.ts'
import { onHits, type HitScene } from '../rig/scenes/hits.ts'
import { alternate, median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const TOKENS = 2_000
const ROUNDS = 3

const hot: Case = {
  id: 'B1h',
  title: 'the same with one hot token that was hit 100,000 times before',
  run: async () => {
    const result = await measure()
    const before = await againstCommitBefore('hits of the hot token', {
      tokens: TOKENS,
      prepare: (scene) => scene.hit({ count: sized(100_000), requests: hotOf(scene) }),
      ask: (scene) => scene.hit({ ms: sized(2_000, 500), requests: hotOf(scene) }),
    })
    return { ...result, rows: [...result.rows, ...before] }
  },
}
export default hot

const hotOf = ({ requests }: HitScene): readonly string[] => requests.slice(0, 1)

const measure = (): Promise<Result> =>
  onHits(TOKENS, async (scene) => {
    const [first = ''] = scene.requests
    const before = await scene.hit({ count: sized(100_000), requests: [first] })
    await scene.hit({ ms: sized(2_000, 300) })
    const ms = sized(5_000, 500)
    const { ours, theirs } = await alternate(
      ROUNDS,
      () => scene.hit({ ms, requests: [first] }),
      () => scene.hit({ ms }),
    )
    const hotRate = median(ours.map((load) => load.perSecond))
    const rate = median(theirs.map((load) => load.perSecond))
    const stored = exactly('events stored less hits answered', scene.stored() - scene.answered(), '', 0)
    return {
      ok: stored.isKept && scene.refused() === 0,
      rows: [
        atLeast('hits of the hot token', hotRate, '/s', 0.8 * rate, rate),
        atLeast('share of many tokens', (100 * hotRate) / rate, '%', 80),
        stored,
      ],
      note: `after ${before.hits} hits on it; reference: 2,000 tokens in the same run${scaleNote}`,
    }
  })
