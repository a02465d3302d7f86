// A message as the object that programs read: generic webhooks are sent it, event collectors index it (behaviour 8).
import { localTime } from '@rookery/kernel/time.ts'
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

export function plainObject(message: Message): object {
  switch (message.subject) {
    case 'incident':
    case 'test':
      return message.reduced ? plainReduced(message) : plainIncident(message)
    case 'digest':
    case 'backlog':
      return plainSummary(message)
    case 'notice':
      return plainNotice(message, 'ReceiverSwitchedOff', message.details)
    case 'weekly':
      return plainNotice(message, 'WeeklySummary', factsOfSections(message))
  }
}

function plainIncident(said: IncidentMessage): object {
  const common = {
    Description: said.description,
    Timestamp: stamp(said.at),
    BirdName: said.node.name,
    BirdID: said.node.id,
    BirdIP: said.node.address,
    BirdPort: said.node.port,
    BirdLocation: said.node.location,
    SourceIP: said.source.address,
    ReverseDNS: said.source.name,
    IncidentHash: said.incident.hash,
    IncidentKey: said.incident.key,
    FlockID: said.flock.id,
    FlockName: said.flock.name,
    Intro: said.intro,
    AdditionalDetails: said.details,
  }
  const rest = {
    LogType: said.logtype,
    EventCount: said.events,
    ConsoleUrl: said.consoleUrl,
    MatchedAnnotations: said.annotations,
  }
  if (!said.token) return { ...common, AlertType: 'BirdIncident', ...rest }
  return {
    ...common,
    Reminder: said.token.memo,
    Token: said.node.id,
    Triggered: said.token.triggered,
    AlertType: 'DecoytokenIncident',
    ...rest,
  }
}

const plainReduced = (said: IncidentMessage): object => ({
  Description: said.description,
  Timestamp: stamp(said.at),
  BirdID: said.node.id,
  IncidentHash: said.incident.hash,
  FlockID: said.flock.id,
  Intro: said.intro,
  AdditionalDetails: [],
  AlertType: said.token ? 'DecoytokenIncident' : 'BirdIncident',
  LogType: said.logtype,
  EventCount: said.events,
  ConsoleUrl: said.consoleUrl,
  Reduced: true,
})

const MOST_GROUPS = 50

const plainSummary = (said: SummaryMessage): object => ({
  Description: said.description,
  Timestamp: stamp(said.at),
  ...(said.bird && { BirdID: said.bird.id, ...(!said.reduced && { BirdName: said.bird.name }) }),
  FlockID: said.flock.id,
  ...(!said.reduced && { FlockName: said.flock.name }),
  Intro: said.intro,
  IncidentCount: said.incidents,
  EventCount: said.events,
  FirstIncident: stamp(said.firstAt),
  LastIncident: stamp(said.lastAt),
  AdditionalDetails: said.groups.slice(0, MOST_GROUPS),
  AlertType: said.bird ? 'BacklogSummary' : 'IncidentDigest',
  ConsoleUrl: said.consoleUrl,
  ...(said.reduced && { Reduced: true }),
})

/** The facts of every section, each with its section's title. */
export const factsOfSections = ({ sections }: WeeklyMessage): Fact[] =>
  sections.flatMap(({ title, facts }) =>
    facts.map(([label, value]): Fact => [title === '' ? label : `${title}: ${label}`, value]),
  )

const plainNotice = (
  said: NoticeMessage | WeeklyMessage,
  alertType: string,
  details: readonly Fact[],
): object => ({
  Description: said.description,
  Timestamp: stamp(said.at),
  FlockID: said.flock.id,
  FlockName: said.flock.name,
  Intro: said.intro,
  AdditionalDetails: details,
  AlertType: alertType,
  ConsoleUrl: said.consoleUrl,
})
