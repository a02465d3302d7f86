// What an incident says, from its fields: one sentence, who, with what. Pure.
import { hostile, type Hostile } from '../../kit/hostile.ts'
import { ageText } from '../../kit/age.tsx'
import { count } from '../../words/en.ts'
import type { Incident, Logtype, StoredEvent } from './queries.ts'

/** Name of the Bird, or memo of the token. */
export const placeOf = (incident: Incident): Hostile =>
  incident.memo ?? incident.name ?? hostile(incident.node_id)

export const isToken = (incident: Incident): boolean => incident.memo !== undefined

/** Epoch seconds. `updated_time` is another thing: acknowledging and commenting move it. */
export const lastTouchAt = ({ events_list, created }: Incident): number =>
  Math.max(Number(created), (events_list?.at(-1) ?? 0) / 1000)

/** `, 7 times in 3 min`; empty for a single event. */
export function timesOf(incident: Incident): string {
  const n = Number(incident.events_count)
  if (n < 2) return ''
  const span = (lastTouchAt(incident) - Number(incident.created)) * 1000
  return `, ${count(n)} times${span >= 1000 ? ` in ${ageText(span)}` : ''}`
}

export interface Credential {
  readonly user: Hostile
  readonly password: Hostile | undefined
  readonly times: number
  /** Epoch seconds. */
  readonly first: number
}

const USER = ['USERNAME', 'username', 'user']
const PASSWORD = ['PASSWORD', 'password']

/** Pairs of user and password, each once, the most tried first. */
export function credentialsOf(events: readonly StoredEvent[]): Credential[] {
  const found = new Map<string, Credential>()
  for (const { at, fields } of events) {
    const user = textOf(fields, USER)
    const password = textOf(fields, PASSWORD)
    if (user === undefined && password === undefined) continue
    const key = JSON.stringify([user, password])
    const before = found.get(key)
    found.set(
      key,
      before
        ? { ...before, times: before.times + 1 }
        : { user: user ?? hostile(''), password, times: 1, first: at },
    )
  }
  return [...found.values()].toSorted((a, b) => b.times - a.times)
}

/** The best evidence of an event, as name and value. */
export const evidenceOf = (
  fields: Readonly<Record<string, unknown>>,
  { evidence = [] }: Partial<Logtype> = {},
): [string, Hostile][] =>
  evidence.flatMap((name) => {
    const value = fields[name]
    return value === undefined || value === '' || value === null
      ? []
      : [[name, asText(value)] as [string, Hostile]]
  })

export const asText = (value: unknown): Hostile =>
  hostile(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function textOf(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Hostile | undefined {
  const name = names.find((it) => typeof fields[it] === 'string' && fields[it] !== '')
  return name === undefined ? undefined : hostile(fields[name] as string)
}
