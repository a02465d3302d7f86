// From a waiting row to its message.
import { firstSources, isShared, type FirstSources } from '../../stores/incidents/shared.store.ts'
import type { Query } from '../../db/query.ts'
import type { QueuedRow } from '../../stores/deliveries/queue.store.ts'
import { sumFolded } from '../../stores/deliveries/summary.store.ts'
import { describeIncident, describeReduced, describeState } from './incident.ts'
import type { Message } from './message.ts'
import { describeNotice, describeSummary } from './summary.ts'
import { describeWeekly } from './weekly.ts'

/** What a summary holds is counted when it is sent. */
export async function render(db: Query, row: QueuedRow, consoleUrl: string): Promise<Message> {
  switch (row.subject) {
    case 'incident':
      return row.reduced === 1
        ? describeReduced(row, consoleUrl)
        : describeIncident(row, consoleUrl, undefined, await sourcesOf(db, row))
    case 'acknowledged':
    case 'deleted':
      return describeState(row, row.subject, consoleUrl)
    case 'notice':
      return describeNotice(row, consoleUrl)
    case 'weekly':
      return describeWeekly(row, consoleUrl)
    case 'digest':
    case 'backlog':
      return describeSummary(row, await sumFolded(db, row.message_id), consoleUrl)
  }
}

const SOURCES_NAMED = 10

/** Undefined for an incident of a single address. */
async function sourcesOf(db: Query, { incident_id, src_host }: QueuedRow): Promise<FirstSources | undefined> {
  if (incident_id === null || src_host === null || !isShared(src_host)) return undefined
  const sources = await firstSources(db, { incident_id, src_host }, SOURCES_NAMED)
  return sources.count > 1 ? sources : undefined
}
