// An alert as flat facts, and how the schemas of security products name each: ECS 8.17, CEF (ArcSight, rev. 26), LEEF 2.0, and
// OCSF 1.3 (Detection Finding, 2004). One table, so that a fact that is added stands in all of them.
import { isIP } from 'node:net'
import type { Level } from '@rookery/kernel/logtype.ts'
import { logtypeOf } from '../../logtypes.ts'
import { incidentUrl } from './link.ts'
import type { Fact, IncidentMessage, Message } from './message.ts'
import { factsOfSections } from './payload.ts'

/** Texts are sanitized; an empty one, and a number of -1, is not known. */
export interface AlertFields {
  readonly name: string
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly subject: Message['subject']
  readonly level: Level
  readonly logtype: string
  /** The hash id of the incident; the message's id where it speaks of none. */
  readonly id: string
  readonly key: string
  readonly url: string
  readonly events: number
  readonly sourceAddress: string
  readonly sourceName: string
  readonly nodeId: string
  readonly nodeName: string
  readonly nodeAddress: string
  readonly nodePort: number
  readonly flockId: string
  readonly flockName: string
  readonly user: string
  readonly password: string
  readonly path: string
  readonly memo: string
  /** The other facts of the first event, or the groups of a digest. */
  readonly details: readonly Fact[]
}

export type Schema = 'ecs' | 'cef' | 'leef' | 'ocsf'
/** Facts that stand in a schema under a name of their own; the rest has its place in the schema's renderer. */
export type NamedField = Exclude<keyof AlertFields, 'at' | 'subject' | 'level' | 'details' | 'name' | 'text'>

/** Dotted names are paths. `cs1` to `cs6` are CEF's own texts, with the title as their label. */
export const FIELD_NAMES: Readonly<
  Record<NamedField, Readonly<Record<Schema, string>> & { readonly title: string }>
> = {
  id: { title: 'Id', ecs: 'event.id', cef: 'externalId', leef: 'externalId', ocsf: 'finding_info.uid' },
  key: {
    title: 'Incident',
    ecs: 'rookery.incident.key',
    cef: 'cs1',
    leef: 'incident',
    ocsf: 'unmapped.incident',
  },
  logtype: {
    title: 'Logtype',
    ecs: 'event.code',
    cef: 'deviceEventClassId',
    leef: 'logtype',
    ocsf: 'unmapped.logtype',
  },
  url: { title: 'Link', ecs: 'event.url', cef: 'cs2', leef: 'url', ocsf: 'finding_info.src_url' },
  events: { title: 'Events', ecs: 'rookery.events', cef: 'cnt', leef: 'eventCount', ocsf: 'count' },
  sourceAddress: {
    title: 'Source',
    ecs: 'source.address',
    cef: 'src',
    leef: 'src',
    ocsf: 'evidences.0.src_endpoint.ip',
  },
  sourceName: {
    title: 'Source name',
    ecs: 'source.domain',
    cef: 'shost',
    leef: 'srcName',
    ocsf: 'evidences.0.src_endpoint.hostname',
  },
  nodeId: {
    title: 'Decoy',
    ecs: 'observer.serial_number',
    cef: 'deviceExternalId',
    leef: 'resource',
    ocsf: 'evidences.0.dst_endpoint.uid',
  },
  nodeName: {
    title: 'Decoy name',
    ecs: 'observer.name',
    cef: 'dhost',
    leef: 'dstName',
    ocsf: 'evidences.0.dst_endpoint.hostname',
  },
  nodeAddress: {
    title: 'Address',
    ecs: 'destination.address',
    cef: 'dst',
    leef: 'dst',
    ocsf: 'evidences.0.dst_endpoint.ip',
  },
  nodePort: {
    title: 'Port',
    ecs: 'destination.port',
    cef: 'dpt',
    leef: 'dstPort',
    ocsf: 'evidences.0.dst_endpoint.port',
  },
  flockId: { title: 'Flock', ecs: 'rookery.flock.id', cef: 'cs3', leef: 'flock', ocsf: 'unmapped.flock' },
  flockName: {
    title: 'Flock name',
    ecs: 'rookery.flock.name',
    cef: 'cs4',
    leef: 'flockName',
    ocsf: 'unmapped.flock_name',
  },
  user: {
    title: 'User',
    ecs: 'user.name',
    cef: 'suser',
    leef: 'usrName',
    ocsf: 'evidences.0.actor.user.name',
  },
  password: {
    title: 'Password',
    ecs: 'rookery.password',
    cef: 'cs5',
    leef: 'password',
    ocsf: 'unmapped.password',
  },
  path: {
    title: 'Path',
    ecs: 'url.path',
    cef: 'request',
    leef: 'resourcePath',
    ocsf: 'evidences.0.url.path',
  },
  memo: {
    title: 'Reminder',
    ecs: 'rookery.token.memo',
    cef: 'cs6',
    leef: 'reminder',
    ocsf: 'unmapped.reminder',
  },
}

const USER = new Set(['USERNAME', 'USER', 'LOGIN'])
const PATH = new Set(['PATH', 'URL_PATH', 'URI'])
/** What may be a password that somebody tried, in the keys of every decoy and token. */
const PASSWORD = /PASS|SECRET|HASH$|AUTHORIZATION|^HEADERS$|COOKIE/i

/** `passwords`: whether passwords that were tried, and what may hold them, are sent. */
export function fieldsOf(message: Message, messageId: string, passwords: boolean): AlertFields {
  const about = {
    name: message.description,
    text: message.intro,
    at: message.at,
    subject: message.subject,
    flockId: message.flock.id,
    flockName: message.flock.name,
    url: incidentUrl(message) ?? message.consoleUrl,
  }
  if (!('incident' in message)) return { ...NOTHING, ...about, id: messageId, ...restOf(message) }
  const { node, source, token, incident, logtype, events, details } = message
  const value = (keys: { has: (key: string) => boolean }): string =>
    details.find(([key]) => keys.has(key.toUpperCase()))?.[1] ?? ''
  const sent = passwords ? details : details.filter(([key]) => !PASSWORD.test(key))
  return {
    ...about,
    level: logtypeOf(logtype).level ?? 'house',
    logtype,
    id: incident.hash || messageId,
    key: incident.key,
    events,
    sourceAddress: source.address,
    sourceName: source.name,
    nodeId: node.id,
    nodeName: node.name,
    nodeAddress: node.address,
    nodePort: node.port,
    user: value(USER),
    password: passwords ? value(new Set(['PASSWORD'])) : '',
    path: value(PATH),
    memo: token?.memo ?? '',
    details: sent.filter(([key]) => !USER.has(key) && !PATH.has(key) && key !== 'PASSWORD'),
  }
}

/** The message without passwords that were tried, and what may hold them. */
export const withoutPasswords = (message: Message): Message =>
  'incident' in message
    ? { ...message, details: message.details.filter(([key]) => !PASSWORD.test(key)) }
    : message

function restOf(message: Exclude<Message, IncidentMessage>): Partial<AlertFields> {
  switch (message.subject) {
    case 'digest':
    case 'backlog':
      return {
        events: message.events,
        ...(message.bird && { nodeId: message.bird.id, nodeName: message.bird.name }),
        details: [['Incidents', String(message.incidents)], ...message.groups],
      }
    case 'notice':
      return { details: message.details }
    case 'weekly':
      return { details: factsOfSections(message) }
  }
}

const NOTHING: Omit<
  AlertFields,
  'name' | 'text' | 'at' | 'subject' | 'flockId' | 'flockName' | 'url' | 'id'
> = {
  level: 'house',
  logtype: '',
  key: '',
  events: -1,
  sourceAddress: '',
  sourceName: '',
  nodeId: '',
  nodeName: '',
  nodeAddress: '',
  nodePort: -1,
  user: '',
  password: '',
  path: '',
  memo: '',
  details: [],
}

/** The facts that are known, under their names in a schema. */
export const namedFields = (
  fields: AlertFields,
  schema: Schema,
): readonly (readonly [name: string, value: string | number, title: string])[] =>
  (Object.keys(FIELD_NAMES) as NamedField[])
    .map((field) => [FIELD_NAMES[field][schema], fields[field], FIELD_NAMES[field].title] as const)
    .filter(([, value]) => value !== '' && value !== -1)

/** The worse, the larger: of ten, as CEF and LEEF have it. */
export const SEVERITY_OF_TEN = { used: 10, tried: 7, looked: 4, house: 2 } as const

/** As CEF and LEEF want them: `src` and `dst` hold an address, or are left out. */
export const eventFields = (fields: AlertFields, schema: 'cef' | 'leef'): ReturnType<typeof namedFields> =>
  namedFields(fields, schema).filter(
    ([name, value]) => (name !== 'src' && name !== 'dst') || isIP(String(value)) !== 0,
  )

/** The sentence, then each detail. */
export const eventLines = ({ text, details }: AlertFields): readonly string[] => [
  text,
  ...details.map(([label, value]) => `${label}: ${value}`),
]
