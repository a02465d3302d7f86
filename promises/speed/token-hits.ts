// Token hits over HTTP, durable, through the whole pipeline.
import { atLeast, atMost, exactly, type Case, type Result } from '../rig/case.ts'
import { againstCommitBefore } from './lib/commit-before.ts'
import { alternateWithSketch, onHits } from '../rig/scenes/hits.ts'
import { peakMb } from '../rig/process.ts'
import { alternate, median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const TOKENS = 2_000
/** Many and short: the disk's bad seconds fall on few of them. */
const ROUNDS = 9
const MAX_MB = 400

const hits: Case = {
  id: 'B1',
  title:
    'token HTTP hits, each stored before its answer, 2,000 tokens, 32 connections, every hit a visitor of its own',
  run: async () => {
    const result = await measure()
    const ms = sized(2_000, 500)
    const before = await againstCommitBefore('durable hits', {
      tokens: TOKENS,
      prepare: (scene) => scene.hit({ ms: sized(3_000, 500) }),
      ask: (scene) => scene.hit({ ms }),
    })
    return { ...result, rows: [...result.rows, ...before] }
  },
}
export default hits

const measure = (): Promise<Result> =>
  onHits(TOKENS, (scene) =>
    alternateWithSketch(scene, async (hitSketch) => {
      const ms = sized(2_500, 500)
      await scene.hit({ ms: sized(3_000, 500) })
      await hitSketch({ ms: sized(1_000, 300) })
      const { ours, theirs } = await alternate(
        ROUNDS,
        () => scene.hit({ ms }),
        () => hitSketch({ ms }),
      )
      const rate = median(ours.map((load) => load.perSecond))
      const sketch = median(theirs.map((load) => load.perSecond))
      const stored = exactly('events stored less hits answered', scene.stored() - scene.answered(), '', 0)
      const refused = exactly('hits refused', scene.refused(), '', 0)
      return {
        ok: stored.isKept && refused.isKept,
        rows: [
          atLeast('durable hits', rate, '/s', 8_000, sketch),
          atLeast('share of the bare sketch', (100 * rate) / sketch, '%', 25),
          atMost('peak memory', peakMb(scene.console.pid), 'MB', MAX_MB),
          stored,
          refused,
        ],
        note: `${scene.answered()} hits; p50 ${median(ours.map((it) => it.p50)).toFixed(2)} ms, p99 ${median(ours.map((it) => it.p99)).toFixed(2)} ms; reference: node:http + grouped node:sqlite, one row a hit${scaleNote}`,
      }
    }),
  )
