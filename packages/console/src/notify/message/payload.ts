// A message as the object that programs read: generic webhooks are sent it, event collectors index it.
import { localTime } from '@rookery/kernel/time.ts'
import { incidentUrl } from './link.ts'
import type {
  Fact,
  IncidentMessage,
  Message,
  NoticeMessage,
  SummaryMessage,
  WeeklyMessage,
} from './message.ts'

/** `2026-02-02 14:19:02 (UTC)` */
export const stamp = (at: number): string => `${localTime(at)} (UTC)`

/** Every field that a payload may have. */
export const PAYLOAD_FIELDS: readonly string[] = [
  'AdditionalDetails',
  'AlertType',
  'BirdID',
  'BirdIP',
  'BirdLocation',
  'BirdName',
  'BirdPort',
  'ConsoleUrl',
  'Description',
  'EventCount',
  'FirstIncident',
  'FlockID',
  'FlockName',
  'IncidentCount',
  'IncidentHash',
  'IncidentKey',
  'IncidentUrl',
  'Intro',
  'LastIncident',
  'LogType',
  'MatchedAnnotations',
  'PlacedAt',
  'Reduced',
  'Reminder',
  'ReverseDNS',
  'SourceIP',
  'Timestamp',
  'Token',
  'Triggered',
]

export function alertPayload(message: Message): object {
  switch (message.subject) {
    case 'incident':
    case 'test':
      return message.reduced ? reducedPayload(message) : incidentPayload(message)
    case 'digest':
    case 'backlog':
      return summaryPayload(message)
    case 'notice':
      return noticePayload(message, 'ReceiverSwitchedOff', message.details)
    case 'weekly':
      return noticePayload(message, 'WeeklySummary', factsOfSections(message))
  }
}

const consoleOf = (message: Message): object => {
  const url = incidentUrl(message)
  return {
    ...(message.consoleUrl !== '' && { ConsoleUrl: message.consoleUrl }),
    ...(url !== undefined && { IncidentUrl: url }),
  }
}

function incidentPayload(message: IncidentMessage): object {
  const common = {
    Description: message.description,
    Timestamp: stamp(message.at),
    BirdName: message.node.name,
    BirdID: message.node.id,
    BirdIP: message.node.address,
    BirdPort: message.node.port,
    BirdLocation: message.node.location,
    SourceIP: message.source.address,
    ReverseDNS: message.source.name,
    IncidentHash: message.incident.hash,
    IncidentKey: message.incident.key,
    FlockID: message.flock.id,
    FlockName: message.flock.name,
    Intro: message.intro,
    AdditionalDetails: message.details,
  }
  const rest = {
    LogType: message.logtype,
    EventCount: message.events,
    ...consoleOf(message),
    MatchedAnnotations: message.annotations,
  }
  if (!message.token) return { ...common, AlertType: 'BirdIncident', ...rest }
  return {
    ...common,
    Reminder: message.token.memo,
    ...(message.token.placement !== '' && { PlacedAt: message.token.placement }),
    Token: message.node.id,
    Triggered: message.token.triggered,
    AlertType: 'DecoytokenIncident',
    ...rest,
  }
}

const reducedPayload = (message: IncidentMessage): object => ({
  Description: message.description,
  Timestamp: stamp(message.at),
  BirdID: message.node.id,
  IncidentHash: message.incident.hash,
  FlockID: message.flock.id,
  Intro: message.intro,
  AdditionalDetails: [],
  AlertType: message.token ? 'DecoytokenIncident' : 'BirdIncident',
  LogType: message.logtype,
  EventCount: message.events,
  ...consoleOf(message),
  Reduced: true,
})

const MAX_GROUPS = 50

const summaryPayload = (message: SummaryMessage): object => ({
  Description: message.description,
  Timestamp: stamp(message.at),
  ...(message.bird && { BirdID: message.bird.id, ...(!message.reduced && { BirdName: message.bird.name }) }),
  FlockID: message.flock.id,
  ...(!message.reduced && { FlockName: message.flock.name }),
  Intro: message.intro,
  IncidentCount: message.incidents,
  EventCount: message.events,
  FirstIncident: stamp(message.firstAt),
  LastIncident: stamp(message.lastAt),
  AdditionalDetails: message.groups.slice(0, MAX_GROUPS),
  AlertType: message.bird ? 'BacklogSummary' : 'IncidentDigest',
  ...consoleOf(message),
  ...(message.reduced && { Reduced: true }),
})

/** The facts of every section, each with its section's title. */
export const factsOfSections = ({ sections }: WeeklyMessage): Fact[] =>
  sections.flatMap(({ title, facts }) =>
    facts.map(([label, value]): Fact => [title === '' ? label : `${title}: ${label}`, value]),
  )

const noticePayload = (
  message: NoticeMessage | WeeklyMessage,
  alertType: string,
  details: readonly Fact[],
): object => ({
  Description: message.description,
  Timestamp: stamp(message.at),
  FlockID: message.flock.id,
  FlockName: message.flock.name,
  Intro: message.intro,
  AdditionalDetails: details,
  AlertType: alertType,
  ...consoleOf(message),
})
