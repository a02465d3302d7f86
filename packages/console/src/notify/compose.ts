// From a waiting row to what it says.
import type { Query } from '../db/query.ts'
import type { QueuedRow } from '../stores/deliveries/queue.store.ts'
import { sumFolded } from '../stores/deliveries/summary.store.ts'
import { incidentPayload, reducedPayload } from './payload/generic.ts'
import { noticePayload, summaryPayload, type Ended } from './payload/summary.ts'

/** The message as an object; what a summary tells of is counted when it is sent. */
export async function compose(db: Query, row: QueuedRow, consoleUrl: string): Promise<object> {
  const reduced = row.reduced === 1
  const flockName = row.flock_name ?? ''
  switch (row.subject) {
    case 'incident':
      return reduced ? reducedPayload(row, consoleUrl) : incidentPayload(row, consoleUrl)
    case 'notice':
      return noticePayload(
        row.flock_id,
        flockName,
        row.created_at,
        JSON.parse(row.payload) as Ended,
        consoleUrl,
      )
    case 'digest':
    case 'backlog': {
      const groups = await sumFolded(db, row.message_id)
      const nodeId = row.subject === 'backlog' ? row.payload : undefined
      return summaryPayload(
        { flockId: row.flock_id, flockName, nodeId, createdAt: row.created_at, groups },
        consoleUrl,
        reduced,
      )
    }
  }
}
