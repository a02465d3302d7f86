// A message for people: label and value, the important first. Ways that show text take what they have room for.
import { clean } from './clean.ts'
import type { Fact, IncidentMessage, Message, SummaryMessage } from './message.ts'
import { factsOfSections, stamp } from './plain.ts'

/** Everything that the message says besides its description and intro; nothing empty. */
export function factsOf(message: Message): readonly Fact[] {
  const facts = ((): readonly Fact[] => {
    switch (message.subject) {
      case 'incident':
      case 'test':
        return ofIncident(message)
      case 'digest':
      case 'backlog':
        return ofSummary(message)
      case 'notice':
        return [['Flock', message.flock.name], ...message.details]
      case 'weekly':
        return [['Flock', message.flock.name], ...factsOfSections(message)]
    }
  })()
  return facts.filter(([, value]) => value !== '')
}

const ofIncident = ({ node, source, token, ...said }: IncidentMessage): Fact[] => [
  [token ? 'Token' : 'Bird', named(node.name, node.id)],
  ['Reminder', token?.memo ?? ''],
  ['Address', node.address === '' || node.port < 0 ? node.address : hostPort(node.address, node.port)],
  ['Location', node.location],
  ['Source', named(source.address, source.name)],
  ['Flock', said.flock.name],
  ['Time', stamp(said.at)],
  ['Events', String(said.events)],
  ['Explained by', Object.keys(said.annotations).join(', ')],
  ['Incident', said.incident.key || said.incident.hash],
  ...said.details,
]

const ofSummary = (said: SummaryMessage): Fact[] => [
  ['Bird', said.bird ? named(said.bird.name, said.bird.id) : ''],
  ['Flock', said.flock.name],
  ['Incidents', String(said.incidents)],
  ['Events', String(said.events)],
  ['First', stamp(said.firstAt)],
  ['Last', stamp(said.lastAt)],
  ...said.groups,
]

/** `nas-02 (3f1c9a5e)`, or what there is of it. */
const named = (name: string, id: string): string =>
  name === '' || id === '' ? name || id : `${name} (${id})`

const hostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** The text, cut to so many UTF-16 units and never through a character. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`

export interface Room {
  readonly facts: number
  readonly label: number
  readonly value: number
  /** What all of them may take as JSON. */
  readonly bytes: number
}

/** The facts that a target has room for; the last one says how many are left out. */
export function fitting(facts: readonly Fact[], room: Room): readonly Fact[] {
  const shown: Fact[] = []
  let bytes = 0
  for (const [label, value] of facts) {
    const fact: Fact = [cut(label, room.label), cut(value, room.value)]
    bytes += Buffer.byteLength(JSON.stringify(fact))
    if (shown.length === room.facts || bytes > room.bytes)
      return [...shown, ['More', `${facts.length - shown.length} in the console`]]
    shown.push(fact)
  }
  return shown
}

/** A text that a receiver's server wrote, fit to be shown in a reason. */
export const quoted = (text: string): string => cut(clean(text).replace(/\s+/g, ' ').trim(), 120)
