// How long a single visitor waits: the time of one fdatasync, and little more.
import { atMost, exactly, percentile, type Case, type Result } from '../case.ts'
import { againstCommitBefore } from '../lib/commit-before.ts'
import { fdatasyncMs } from '../lib/fdatasync.ts'
import { onHits, type HitScene } from '../scenes/hits.ts'
import type { Load } from '../load/load.ts'
import { alternate, median } from '../load/rounds.ts'
import { scaleNote, sized } from '../lib/scale.ts'

const TOKENS = 200
const ROUNDS = 5

const latency: Case = {
  id: 'B1l',
  title: 'latency of a durable token hit on one connection',
  run: async () => {
    const result = await measure()
    const ask = (scene: HitScene): Promise<Load> => scene.hit({ connections: 1, ms: sized(2_000, 500) })
    const before = await againstCommitBefore('speed by p50', {
      ...{ tokens: TOKENS, prepare: ask, ask },
      speed: ({ p50 }) => 1 / p50,
    })
    return { ...result, rows: [...result.rows, ...before] }
  },
}
export default latency

const measure = (): Promise<Result> =>
  onHits(TOKENS, async (scene) => {
    await scene.hit({ connections: 1, ms: sized(3_000, 500) })
    const { ours, theirs } = await alternate(
      ROUNDS,
      () => scene.hit({ connections: 1, ms: sized(3_000, 300) }),
      () => Promise.resolve(fdatasyncMs(scene.folder, sized(1_000, 100))),
    )
    const disk = median(theirs.map((samples) => percentile(samples, 0.5)))
    const diskWorst = median(theirs.map((samples) => percentile(samples, 0.99)))
    const stored = exactly('events stored less hits answered', scene.stored() - scene.answered(), '', 0)
    return {
      ok: stored.isKept && scene.refused() === 0,
      rows: [
        atMost('p50', median(ours.map((load) => load.p50)), 'ms', 2 * disk + 0.2, disk),
        atMost('p99', median(ours.map((load) => load.p99)), 'ms', 3, diskWorst),
        stored,
      ],
      note: `${scene.answered()} hits; reference: an append of 4 KB with fdatasync; p50 may take twice that and 0.2 ms${scaleNote}`,
    }
  })
