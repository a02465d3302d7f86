// Birds' batches: each event counts once, and only those of registered Birds.
import { bounded } from '@rookery/kernel/bound.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import type { Tx } from '../../../db/query.ts'
import { logtypeOf } from '../../../logtypes.ts'
import { loadSpoolPositions } from '../../../stores/birds/spool-positions.store.ts'
import { loadBirdSubjects } from '../../../stores/birds/subjects.store.ts'
import { checkBirdEvent, type RefusalReason } from './check-event.ts'
import type { RefusedEvent } from './refused-events.ts'
import type { Arrival } from '../../raise/arrival.ts'
import { birdSubject } from '../../raise/bird-subject.ts'
import type { BirdBatch } from '../ingest-item.ts'

/** Touches that waited longer with their Bird are alerted in one summary. */
const LATE_MS = 15 * 60_000

export interface BirdIntake {
  readonly arrivals: readonly Arrival[]
  /** How far each batch's spool is stored after the commit, in the order of the batches. */
  readonly storedUpTo: readonly number[]
  /** Events that these Birds cannot have seen; they count as stored. */
  readonly refused: readonly RefusedEvent[]
}

/** Reads what is new in these batches and moves their spools' positions. */
export async function takeBirdBatches(tx: Tx, batches: readonly BirdBatch[]): Promise<BirdIntake> {
  if (batches.length === 0) return { arrivals: [], storedUpTo: [], refused: [] }
  const nodeIds = [...new Set(batches.map((batch) => batch.nodeId))]
  const birds = await loadBirdSubjects(tx, nodeIds)
  const positions = await loadSpoolPositions(tx, nodeIds)
  const arrivals: Arrival[] = []
  const refused: RefusedEvent[] = []

  const storedUpTo = batches.map(({ nodeId, spoolId, receivedAt, events }) => {
    const bird = birds.get(nodeId)
    let last = positions.of(nodeId, spoolId)
    if (bird?.state !== 'registered') return last
    const subject = birdSubject(bird)
    for (const { seq, touch } of events) {
      if (seq <= last) continue
      last = seq
      const checked = checkBirdEvent(touch, bird.registered_at ?? bird.first_seen_at, receivedAt)
      if ('refused' in checked) refused.push(refusedEvent(nodeId, seq, checked.refused, touch))
      else
        arrivals.push({
          touch: { ...checked.touch, nodeId, fields: bounded(checked.touch.fields) },
          logtype: logtypeOf(touch.logtype),
          subject,
          receivedAt,
          late: receivedAt - touch.at > LATE_MS,
          sentByBird: true,
        })
    }
    positions.move(nodeId, spoolId, last, receivedAt)
    return last
  })
  await positions.store(tx)
  return { arrivals, storedUpTo, refused }
}

function refusedEvent(nodeId: string, seq: number, reason: RefusalReason, touch: Touch): RefusedEvent {
  const { logtype, instance, srcHost, dstHost, at } = touch
  const values = { logtype, instance, address: `${srcHost} → ${dstHost}`, time: new Date(at).toISOString() }
  return { nodeId, seq, reason, value: values[reason] }
}
