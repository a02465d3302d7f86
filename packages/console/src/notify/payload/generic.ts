// What a generic webhook is told (behaviour 8). Pure: rows in, JSON out.
import { localTime } from '@rookery/kernel/time.ts'
import type { EventFields, EventValue } from '@rookery/kernel/touch.ts'
import type { QueuedRow } from '../../stores/deliveries/queue.store.ts'
import { clean } from './clean.ts'

const timestamp = (at: number): string => `${localTime(at)} (UTC)`

/** A new incident: of a Bird, or, where there is a memo, of a token. */
export function incidentPayload(row: QueuedRow, consoleUrl: string): object {
  const description = row.summary ?? ''
  const common = {
    Description: clean(description),
    Timestamp: timestamp(row.incident_at ?? row.created_at),
    BirdName: clean(row.name ?? ''),
    BirdID: row.node_id ?? '',
    BirdIP: row.ip_address ?? '',
    BirdPort: row.dst_port ?? -1,
    BirdLocation: clean(row.location ?? ''),
    SourceIP: clean(row.src_host ?? ''),
    ReverseDNS: clean(row.src_host_reverse ?? ''),
    IncidentHash: row.hash_id ?? '',
    IncidentKey: row.incident_key ?? '',
    FlockID: row.flock_id,
    FlockName: clean(row.flock_name ?? ''),
    Intro: clean(intro(row)),
    AdditionalDetails: details(row.event),
  }
  const rest = {
    LogType: row.logtype ?? '',
    EventCount: row.events_count ?? 0,
    ConsoleUrl: consoleUrl,
    MatchedAnnotations: {},
  }
  if (row.memo === null) return { ...common, AlertType: 'BirdIncident', ...rest }
  return {
    ...common,
    Reminder: clean(row.memo),
    Token: row.node_id ?? '',
    Triggered: row.triggered_count ?? row.events_count ?? 0,
    AlertType: 'DecoytokenIncident',
    ...rest,
  }
}

/** The same incident without a word that came from outside: ids, counts, a link. */
export const reducedPayload = (row: QueuedRow, consoleUrl: string): object => ({
  Description: row.summary === null ? '' : clean(row.summary),
  Timestamp: timestamp(row.incident_at ?? row.created_at),
  BirdID: row.node_id ?? '',
  IncidentHash: row.hash_id ?? '',
  FlockID: row.flock_id,
  Intro: 'The receiver refused the whole alert; the console has its details.',
  AdditionalDetails: [],
  AlertType: row.memo === null ? 'BirdIncident' : 'DecoytokenIncident',
  LogType: row.logtype ?? '',
  EventCount: row.events_count ?? 0,
  ConsoleUrl: consoleUrl,
  Reduced: true,
})

/** A dummy incident: what a test of a receiver sends. */
export const testPayload = (flock: { id: string; name: string }, at: number, consoleUrl: string): object => ({
  Description: 'Dummy Incident',
  Timestamp: timestamp(at),
  BirdName: 'Test Bird',
  BirdID: '0000000testnode',
  BirdIP: '192.0.2.1',
  BirdPort: 8080,
  BirdLocation: '',
  SourceIP: '192.0.2.2',
  ReverseDNS: '',
  IncidentHash: '',
  IncidentKey: '',
  FlockID: flock.id,
  FlockName: clean(flock.name),
  Intro: 'This is a test of an alert receiver; nothing happened.',
  AdditionalDetails: [
    ['Field1', 'Value1'],
    ['Field2', 'Value2'],
    ['Field3', 'Value3'],
  ],
  AlertType: 'BirdIncident',
  LogType: '111111',
  EventCount: 1,
  ConsoleUrl: consoleUrl,
  MatchedAnnotations: {},
})

/** One sentence: what, on what, from where. */
function intro({ summary, name, memo, ip_address, src_host }: QueuedRow): string {
  const from = src_host ? ` from ${src_host}` : ''
  if (memo !== null) return `${summary ?? 'A token was touched'}${from}: ${oneLine(memo)}.`
  const address = ip_address ? ` (${ip_address})` : ''
  return `${summary ?? 'An incident'} on Bird ${name ?? ''}${address}${from}.`
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(/\.$/, '')

/** The first event's fields as label and value. */
function details(event: string | null): [string, string][] {
  if (event === null) return []
  return Object.entries(JSON.parse(event) as EventFields).map(([label, value]) => [
    clean(label),
    clean(asText(value)),
  ])
}

const asText = (value: EventValue): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
