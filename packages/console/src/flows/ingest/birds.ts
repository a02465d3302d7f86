// Birds' batches: each event counts once, and only those of registered Birds.
import { bounded } from '@rookery/kernel/bound.ts'
import type { Tx } from '../../db/query.ts'
import { logtypeOf } from '../../logtypes.ts'
import {
  loadSpoolPositions,
  moveSpoolPositions,
  spoolPositionOf,
} from '../../stores/birds/spool-positions.store.ts'
import { loadBirdSubjects, type BirdSubject } from '../../stores/birds/subjects.store.ts'
import type { Arrival, Subject } from '../raise/arrival.ts'
import type { BirdBatch } from './ingest-item.ts'

/** Touches that waited longer with their Bird are alerted in one summary (behaviour 8). */
const LATE_MS = 15 * 60_000

export interface BirdIntake {
  readonly arrivals: readonly Arrival[]
  /** How far each batch's spool is stored after the commit, in the order of the batches. */
  readonly storedUpTo: readonly number[]
}

/** Reads what is new in these batches and moves their spools' positions. */
export async function takeBirdBatches(tx: Tx, batches: readonly BirdBatch[]): Promise<BirdIntake> {
  if (batches.length === 0) return { arrivals: [], storedUpTo: [] }
  const nodeIds = [...new Set(batches.map((batch) => batch.nodeId))]
  const birds = await loadBirdSubjects(tx, nodeIds)
  const positions = await loadSpoolPositions(tx, nodeIds)
  const moved = new Map<string, { node_id: string; spool_id: string; last_seq: number }>()
  const arrivals: Arrival[] = []

  const storedUpTo = batches.map(({ nodeId, spoolId, receivedAt, events }) => {
    const bird = birds.get(nodeId)
    let last = moved.get(`${nodeId}/${spoolId}`)?.last_seq ?? spoolPositionOf(positions, nodeId, spoolId)
    if (bird?.state !== 'registered') return last
    for (const { seq, touch } of events) {
      if (seq <= last) continue
      last = seq
      arrivals.push({
        touch: { ...touch, nodeId, fields: bounded(touch.fields) },
        logtype: logtypeOf(touch.logtype),
        subject: birdSubject(bird),
        receivedAt,
        late: receivedAt - touch.at > LATE_MS,
      })
    }
    moved.set(`${nodeId}/${spoolId}`, { node_id: nodeId, spool_id: spoolId, last_seq: last })
    return last
  })
  await moveSpoolPositions(tx, [...moved.values()])
  return { arrivals, storedUpTo }
}

export const birdSubject = (bird: BirdSubject): Subject => ({
  flockId: bird.flock_id,
  name: bird.name,
  memo: null,
  ipAddress: bird.ip_address,
  ippers: bird.ippers,
  macAddress: bird.mac_address,
  muted: bird.ignore_general === 1,
})
