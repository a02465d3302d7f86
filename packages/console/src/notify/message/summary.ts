// One message for many incidents, and the message that a receiver was switched off. Pure.
import type { QueuedRow } from '../../stores/deliveries/queue.store.ts'
import type { Summed } from '../../stores/deliveries/summary.store.ts'
import { sanitize } from './sanitize.ts'
import type { NoticeMessage, SummaryMessage } from './message.ts'

type Row = Pick<QueuedRow, 'subject' | 'flock_id' | 'flock_name' | 'payload' | 'created_at' | 'reduced'>

/** A digest, or the summary of a Bird's backlog; in its reduced form it names nobody. */
export function describeSummary(row: Row, groups: readonly Summed[], consoleUrl: string): SummaryMessage {
  const reduced = row.reduced === 1
  const isBacklog = row.subject === 'backlog'
  const incidents = sum(groups.map((group) => group.incidents))
  const plural = incidents === 1 ? 'incident' : 'incidents'
  const firstAt = Math.min(...groups.map((group) => group.firstAt), row.created_at)
  return {
    subject: isBacklog ? 'backlog' : 'digest',
    description: isBacklog ? 'Backlog of a Bird' : 'Digest of Incidents',
    intro: isBacklog
      ? `A Bird that was out of reach brought ${incidents} older ${plural}.`
      : `${incidents} more ${plural} came within a minute than are sent one by one.`,
    at: row.created_at,
    flock: { id: row.flock_id, name: reduced ? '' : sanitize(row.flock_name ?? '') },
    consoleUrl,
    reduced,
    bird: isBacklog ? { id: row.payload, name: reduced ? '' : sanitize(groups[0]?.name ?? '') } : undefined,
    incidents,
    events: sum(groups.map((group) => group.events)),
    firstAt,
    lastAt: Math.max(...groups.map((group) => group.lastAt), firstAt),
    groups: reduced
      ? []
      : groups.map(({ summary, name, incidents: times }) => [
          sanitize(isBacklog ? summary : `${summary} (${name})`),
          String(times),
        ]),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

/** The `payload` of a notice's row. */
export interface SwitchedOff {
  readonly webhookId: string
  readonly host: string
  readonly reason: string
}

/** For a Flock's other receivers: one was switched off. */
export function describeNotice(row: Row, consoleUrl: string): NoticeMessage {
  const { webhookId, host, reason } = JSON.parse(row.payload) as SwitchedOff
  return {
    subject: 'notice',
    description: 'Alert Receiver Switched Off',
    intro: `Alerts no longer go to the receiver at ${sanitize(host)}: ${sanitize(reason)}`,
    at: row.created_at,
    flock: { id: row.flock_id, name: sanitize(row.flock_name ?? '') },
    consoleUrl,
    reduced: false,
    details: [
      ['Receiver', webhookId],
      ['Host', sanitize(host)],
      ['Reason', sanitize(reason)],
    ],
  }
}
