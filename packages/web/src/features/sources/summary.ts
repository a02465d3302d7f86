// What a source did, from its incidents: credentials, ports, places, and all of it as text. Pure.
import type { AnswerOf } from '../../api/call.ts'
import { plainEvidence } from '../../kit/evidence.tsx'
import { isEmpty, joined, rawOf, type Hostile } from '../../kit/hostile.ts'
import { count, words } from '../../words/en.ts'
import { credentialsOf, type Credential } from '../incident/read-incident.ts'
import type { Row } from '../incidents/apply.ts'
import { sourceWords } from './words.ts'

export type Past = AnswerOf<'incidentQueries', 'sourceHistory'>['incidents'][number]

/** Pairs that were tried, of the newest event of each incident. */
export const credentialsOfRows = (rows: readonly Row[]): Credential[] =>
  credentialsOf(
    rows.map(({ first, evidence }, at) => ({
      nth: at + 1,
      at: first,
      fields: Object.fromEntries(evidence.map(({ name, value }) => [rawOf(name), rawOf(value)])),
    })),
  )

/** Each port with its number of incidents, the most touched first. */
export function portsOf(incidents: readonly Past[]): [port: number, times: number][] {
  const ports = new Map<number, number>()
  for (const { dst_port } of incidents) if (dst_port > 0) ports.set(dst_port, (ports.get(dst_port) ?? 0) + 1)
  return [...ports].toSorted(([a, n], [b, m]) => m - n || a - b)
}

/** Birds and tokens that were touched, each once. */
export const placesOf = (rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.node_id, row])).values(),
]

/** Undefined where the console knows none. */
export const nameOf = (rows: readonly Row[]): Hostile | undefined =>
  rows.find(({ src_name }) => !isEmpty(src_name))?.src_name

const utc = (atS: number): string =>
  `${new Date(atS * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** For a ticket or a mail, oldest first. Odd characters are named, so that no line of it is another's. */
export function asText(
  address: string,
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
): string {
  const name = nameOf(rows)
  const lines = rows
    .toReversed()
    .map((row) =>
      [
        utc(row.first),
        words.level[row.level],
        row.summary,
        `${plainEvidence(row.place)} (${plainEvidence(row.flock_name)})`,
        ...(row.dst_port > 0 ? [sourceWords.port(row.dst_port)] : []),
        words.inbox.times(row.events_count),
        plainEvidence(joined(row.evidence.map(({ value }) => value))),
        row.acknowledged ? sourceWords.acknowledged : sourceWords.open,
      ]
        .filter(Boolean)
        .join('  '),
    )
  return [
    `${sourceWords.title(address)}${name ? ` (${plainEvidence(name)})` : ''}`,
    words.inbox.shown(rows.length, total),
    '',
    ...lines,
    '',
    ...credentialsOfRows(rows).map(({ user, password, times }) =>
      [
        sourceWords.tried,
        plainEvidence(user),
        ...(password ? [plainEvidence(password)] : []),
        `${count(times)}×`,
      ].join('  '),
    ),
  ].join('\n')
}
