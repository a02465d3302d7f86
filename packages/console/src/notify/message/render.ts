// From a waiting row to its message.
import type { Query } from '../../db/query.ts'
import type { QueuedRow } from '../../stores/deliveries/queue.store.ts'
import { sumFolded } from '../../stores/deliveries/summary.store.ts'
import { describeIncident, describeReduced } from './incident.ts'
import type { Message } from './message.ts'
import { describeNotice, describeSummary } from './summary.ts'
import { describeWeekly } from './weekly.ts'

/** What a summary holds is counted when it is sent. */
export async function render(db: Query, row: QueuedRow, consoleUrl: string): Promise<Message> {
  switch (row.subject) {
    case 'incident':
      return row.reduced === 1 ? describeReduced(row, consoleUrl) : describeIncident(row, consoleUrl)
    case 'notice':
      return describeNotice(row, consoleUrl)
    case 'weekly':
      return describeWeekly(row, consoleUrl)
    case 'digest':
    case 'backlog':
      return describeSummary(row, await sumFolded(db, row.message_id), consoleUrl)
  }
}
