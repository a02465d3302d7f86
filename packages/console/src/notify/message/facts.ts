// A message for people: label and value, the important first. Ways that show text take what they have room for.
import { CONSOLE } from '@rookery/kernel/ids.ts'
import { hostPortText } from '../../addresses/host-port.ts'
import { sanitize } from './sanitize.ts'
import type { Fact, IncidentMessage, Message, SummaryMessage } from './message.ts'
import { factsOfSections, stamp } from './payload.ts'

/** All that a message holds besides its description and intro; nothing empty. */
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

const ofIncident = ({ node, source, token, ...message }: IncidentMessage): Fact[] => [
  [token ? 'Token' : nodeKind(node.id), named(node.name, node.id)],
  ['Reminder', token?.memo ?? ''],
  ['Placed at', token?.placement ?? ''],
  ['Address', node.address === '' || node.port < 0 ? node.address : hostPortText(node.address, node.port)],
  ['Location', node.location],
  ['Source', named(source.address, source.name)],
  ['Flock', message.flock.name],
  ['Time', stamp(message.at)],
  ['Events', String(message.events)],
  ['Explained by', Object.keys(message.annotations).join(', ')],
  ['Incident', message.incident.key || message.incident.hash],
  ['What it means', message.meaning],
  ['What to do next', message.next.join(' ')],
  ...message.details,
]

/** What an incident that no token raised is about, by its node's id. */
export function nodeKind(nodeId: string): 'Bird' | 'Flock' | 'Console' {
  if (nodeId === CONSOLE) return 'Console'
  return nodeId.startsWith('flock:') ? 'Flock' : 'Bird'
}

const ofSummary = (message: SummaryMessage): Fact[] => [
  ['Bird', message.bird ? named(message.bird.name, message.bird.id) : ''],
  ['Flock', message.flock.name],
  ['Incidents', String(message.incidents)],
  ['Events', String(message.events)],
  ['First', stamp(message.firstAt)],
  ['Last', stamp(message.lastAt)],
  ...message.groups,
]

/** `nas-02 (3f1c9a5e)`, or what there is of it. */
const named = (name: string, id: string): string =>
  name === '' || id === '' ? name || id : `${name} (${id})`

/** The text without line breaks. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The text, cut to so many UTF-16 units and never through a character. */
export const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`

export interface Room {
  readonly facts: number
  readonly label: number
  readonly value: number
  /** What all of them may take as JSON. */
  readonly bytes: number
}

/** The facts that a target has room for; the last one says how many are left out. */
export function fitFacts(facts: readonly Fact[], room: Room): readonly Fact[] {
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
export const quoted = (text: string, length = 120): string =>
  cut(sanitize(text).replace(/\s+/g, ' ').trim(), length)
