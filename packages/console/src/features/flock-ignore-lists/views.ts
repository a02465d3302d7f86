// How a Flock's list of addresses is shown.
import { canonicalRange } from '../../net/ranges.ts'
import { parseIpLine } from '../../net/ip-list.ts'

/** Where an entry stands. */
export type ListScope = 'flock' | 'global'

/** Address or range → scope → its ports; no port is every port. */
export type SanitizedEntries = Record<string, Partial<Record<ListScope, number[]>>>

/** Entries without comments, in one spelling, once each; behind them the ports that are ignored from everywhere. */
export function sanitized(
  lists: Readonly<Record<ListScope, readonly string[]>>,
): [SanitizedEntries, number[]] {
  const entries: SanitizedEntries = {}
  const everyPort = new Set<string>()
  const fromEverywhere = new Set<number>()
  for (const scope of ['flock', 'global'] as const) {
    for (const line of lists[scope]) {
      const entry = parseIpLine(line, { parameter: 'list', portAlone: true })
      if (!entry) continue
      const { range, port } = entry
      if (range === undefined) {
        if (port !== undefined) fromEverywhere.add(port)
        continue
      }
      const address = canonicalRange(range) ?? range
      const ports = ((entries[address] ??= {})[scope] ??= [])
      if (port === undefined) everyPort.add(`${scope} ${address}`)
      else if (!ports.includes(port)) ports.push(port)
    }
  }
  for (const [address, scopes] of Object.entries(entries)) {
    for (const [scope, ports] of Object.entries(scopes)) {
      if (everyPort.has(`${scope} ${address}`)) ports.length = 0
      ports.sort((a, b) => a - b)
    }
  }
  return [entries, [...fromEverywhere].sort((a, b) => a - b)]
}
