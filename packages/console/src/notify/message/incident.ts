// A new incident as a message. Pure: a row in, a message out.
import type { LogtypeFacts } from '@rookery/kernel/logtype.ts'
import type { EventFields, EventValue } from '@rookery/kernel/touch.ts'
import { logtypeOf } from '../../logtypes.ts'
import { matchedAnnotations } from '../../stores/incidents/annotations.ts'
import { INCIDENT_SOURCES, type FirstSources } from '../../stores/incidents/shared.store.ts'
import type { QueuedRow } from '../../stores/deliveries/queue.store.ts'
import { nodeKind, oneLine } from './facts.ts'
import { sanitize } from './sanitize.ts'
import type { Fact, IncidentMessage } from './message.ts'

/** A new incident: of a Bird, or, where there is a memo, of a token. */
export const describeIncident = (
  row: QueuedRow,
  consoleUrl: string,
  { evidence = [], meaning = '', next = [] }: Partial<LogtypeFacts> = logtypeOf(row.logtype ?? ''),
  sources?: FirstSources,
): IncidentMessage => ({
  subject: 'incident',
  description: sanitize(row.summary ?? ''),
  intro: sanitize(intro(row, sources)),
  at: row.incident_at ?? row.created_at,
  flock: { id: row.flock_id, name: sanitize(row.flock_name ?? '') },
  consoleUrl,
  reduced: false,
  node: {
    id: row.node_id ?? '',
    name: sanitize(row.name ?? ''),
    address: addressOf(row),
    port: row.dst_port ?? -1,
    location: sanitize(row.location ?? ''),
  },
  source: { address: sanitize(row.src_host ?? ''), name: sanitize(row.src_host_reverse ?? '') },
  token:
    row.memo === null
      ? undefined
      : {
          memo: sanitize(row.memo),
          placement: sanitize(row.placement ?? ''),
          triggered: row.triggered_count ?? row.events_count ?? 0,
        },
  incident: { hash: row.hash_id ?? '', key: row.incident_key ?? '' },
  logtype: row.logtype ?? '',
  events: row.events_count ?? 0,
  annotations: matchedAnnotations(row.annotations ?? ''),
  meaning,
  next,
  details: [...sourceFacts(sources), ...eventFacts(row.event, evidence)],
})

/** The same incident without a word that came from outside: ids and counts. */
export const describeReduced = (row: QueuedRow, consoleUrl: string): IncidentMessage => ({
  subject: 'incident',
  description: sanitize(row.summary ?? ''),
  intro: 'The receiver refused the whole alert; the console has its details.',
  at: row.incident_at ?? row.created_at,
  flock: { id: row.flock_id, name: '' },
  consoleUrl,
  reduced: true,
  node: { id: row.node_id ?? '', name: '', address: '', port: -1, location: '' },
  source: { address: '', name: '' },
  token: row.memo === null ? undefined : { memo: '', placement: '', triggered: 0 },
  incident: { hash: row.hash_id ?? '', key: '' },
  logtype: row.logtype ?? '',
  events: row.events_count ?? 0,
  annotations: {},
  meaning: '',
  next: [],
  details: [],
})

/** What has become of an incident, for those who were notified of it: not a word of it came from outside. */
export const describeState = (
  row: QueuedRow,
  state: NonNullable<IncidentMessage['state']>,
  consoleUrl: string,
): IncidentMessage => ({
  ...describeReduced(row, consoleUrl),
  intro: `The incident was ${state}.`,
  state,
})

/** A dummy incident: what a test of a receiver sends. */
export const describeTest = (
  flock: { readonly id: string; readonly name: string },
  at: number,
  consoleUrl: string,
): IncidentMessage => ({
  subject: 'test',
  description: 'Dummy Incident',
  intro: 'This is a test of an alert receiver; nothing happened.',
  at,
  flock: { id: flock.id, name: sanitize(flock.name) },
  consoleUrl,
  reduced: false,
  node: { id: '0000000testnode', name: 'Test Bird', address: '192.0.2.1', port: 8080, location: '' },
  source: { address: '192.0.2.2', name: '' },
  token: undefined,
  incident: { hash: '', key: '' },
  logtype: '111111',
  events: 1,
  annotations: {},
  meaning: '',
  next: [],
  details: [
    ['Field1', 'Value1'],
    ['Field2', 'Value2'],
    ['Field3', 'Value3'],
  ],
})

/** One sentence: what, on what, from where. */
function intro(row: QueuedRow, sources?: FirstSources): string {
  const { summary, memo, src_host } = row
  const source = sources ? `${numberOf(sources)} sources, the first ${sources.first[0] ?? ''}` : src_host
  const from = source ? ` from ${source}` : ''
  if (memo !== null) return `${summary ?? 'A token was touched'}${from}: ${withoutStop(memo)}.`
  return `${summary ?? 'An incident'}${where(row)}${from}.`
}

/** The one that was touched, of a Bird that may have several; a token has none. */
const addressOf = ({ memo, dst_host, ip_address }: QueuedRow): string =>
  (memo === null && dst_host) || (ip_address ?? '')

/** The Bird; the Flock; nothing for the console itself. */
function where(row: QueuedRow): string {
  const { node_id, name } = row
  switch (nodeKind(node_id ?? '')) {
    case 'Console':
      return ''
    case 'Flock':
      return ` in Flock ${name ?? ''}`
    case 'Bird':
      return ` on Bird ${name ?? ''}${addressOf(row) ? ` (${addressOf(row)})` : ''}`
  }
}

/** The first sources by name, and how many there were when the alert was written. */
function sourceFacts(sources: FirstSources | undefined): Fact[] {
  if (!sources) return []
  const more = sources.count > sources.first.length ? ', …' : ''
  return [
    ['Sources', numberOf(sources)],
    ['First sources', sanitize(sources.first.join(', ') + more)],
  ]
}

/** Sources above the limit are not counted. */
const numberOf = ({ count }: FirstSources): string =>
  count >= INCIDENT_SOURCES.max ? `${INCIDENT_SOURCES.max} or more` : String(count)

const withoutStop = (text: string): string => oneLine(text).replace(/\.$/, '')

/** The first event: where its source is, then its fields as label and value, the evidence first, the others as they came. */
function eventFacts(event: string | null, evidence: readonly string[]): Fact[] {
  if (event === null) return []
  // The message names the address that was touched.
  const { geo_info, is_tor_relay, dst_host: _, ...fields } = JSON.parse(event) as EventFields
  const keys = new Set([...evidence.filter((key) => Object.hasOwn(fields, key)), ...Object.keys(fields)])
  return [
    ...placeFacts(geo_info),
    ...(is_tor_relay === true ? [['Source is an exit of Tor', 'yes'] as const] : []),
    ...[...keys].map((key): Fact => [sanitize(key), sanitize(asText(fields[key] ?? ''))]),
  ]
}

function placeFacts(geoInfo: EventValue | undefined): Fact[] {
  if (typeof geoInfo !== 'object' || Array.isArray(geoInfo)) return []
  const { city, region, country_name, country, org } = geoInfo as EventFields
  const place = [city, region === city ? undefined : region, country_name ?? country]
  const texts = place.filter((part) => typeof part === 'string')
  return [
    ...(texts.length > 0 ? [['Source location', sanitize(texts.join(', '))] as const] : []),
    ...(typeof org === 'string' ? [['Source network', sanitize(org)] as const] : []),
  ]
}

const asText = (value: EventValue): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
