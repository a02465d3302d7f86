// From a waiting row to what it says.
import type { Query } from '../db/query.ts'
import type { QueuedRow } from '../stores/deliveries/queue.store.ts'
import { sumFolded } from '../stores/deliveries/summary.store.ts'
import { describeIncident, describeReduced } from './message/incident.ts'
import type { Message } from './message/message.ts'
import { describeNotice, describeSummary } from './message/summary.ts'
import { describeWeekly } from './message/weekly.ts'

/** The message; what a summary tells of is counted when it is sent. */
export async function compose(db: Query, row: QueuedRow, consoleUrl: string): Promise<Message> {
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
