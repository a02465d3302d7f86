// How long a single visitor waits: the time of one fdatasync, and little more.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { atMost, exactly, percentile, type Case, type Result, type Row } from '../rig/case.ts'
import { againstCommitBefore } from './lib/commit-before.ts'
import { fdatasyncMs } from './lib/fdatasync.ts'
import { onHits, type HitScene } from '../rig/scenes/hits.ts'
import { addReceiver, openReceiver } from '../rig/scenes/receiver.ts'
import type { Load } from '../rig/load/load.ts'
import { alternate, median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const TOKENS = 200
const ROUNDS = 5
const DELIVERIES = 100_000

const latency: Case = {
  id: 'B1l',
  title: 'latency of a durable token hit on one connection',
  run: async () => {
    const result = await measure()
    const ask = (scene: HitScene): Promise<Load> => scene.hit({ connections: 1, ms: sized(2_000, 500) })
    const before = await againstCommitBefore('speed by p50', {
      tokens: TOKENS,
      prepare: ask,
      ask,
      speed: ({ p50 }) => 1 / p50,
    })
    return { ...result, rows: [...result.rows, await afterDeliveries(), ...before] }
  },
}
export default latency

/** With a receiver: the median of hits after many stored deliveries, of that before them. */
const afterDeliveries = (): Promise<Row> =>
  onHits(
    TOKENS,
    async (scene) => {
      const receiver = await openReceiver()
      await addReceiver(scene.console, receiver.url)
      const ask = (): Promise<Load> => scene.hit({ connections: 1, ms: sized(2_000, 300) })
      const middle = async (): Promise<number> => {
        const loads: Load[] = []
        for (let round = 0; round < ROUNDS; round++) loads.push(await ask())
        return median(loads.map(({ p50 }) => p50))
      }
      await ask()
      const without = await middle()
      storeDeliveries(scene.folder)
      await ask()
      const after = await middle()
      receiver.stop()
      return atMost(`p50 after ${DELIVERIES} deliveries, of before`, after / without, '×', 1.3)
    },
    { env: { ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8' } },
  )

/** Delivered long ago, to the receiver that there is: numbers below all others. */
function storeDeliveries(folder: string): void {
  const database = new DatabaseSync(join(folder, 'rookery.db'), { timeout: 5_000 })
  database.exec(`INSERT INTO delivery (delivery_id, message_id, webhook_id, flock_id, subject, incident_id, state, next_at, created_at)
    WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${DELIVERIES})
    SELECT -n.id, 'msg_' || n.id, w.webhook_id, w.flock_id, 'incident', 0, 'delivered', ${Date.now()}, ${Date.now()} FROM n, webhook AS w`)
  database.close()
}

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
