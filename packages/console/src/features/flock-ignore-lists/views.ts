// A Flock's list of addresses in the shape of the API (4.18).
import { canonicalRange } from '../../addresses/ranges.ts'
import { storedEntry } from '../../addresses/ip-list.ts'

/** Which list holds an entry. */
export type ListScope = 'flock' | 'global'

/** Address or range, with its logtypes if it has some → scope → its ports; no port is every port. */
export type SanitizedEntries = Record<string, Partial<Record<ListScope, number[]>>>

/** Entries without comments, canonical and distinct; then the ports that are ignored from every address. */
export function sanitized(
  lists: Readonly<Record<ListScope, readonly string[]>>,
): [SanitizedEntries, number[]] {
  const entries: SanitizedEntries = {}
  const withoutPort = new Set<string>()
  const globalPorts = new Set<number>()
  for (const scope of ['flock', 'global'] as const) {
    for (const line of lists[scope]) {
      const entry = storedEntry(line)
      if (!entry) continue
      const { range, port } = entry
      if (range === undefined) {
        if (port !== undefined) globalPorts.add(port)
        continue
      }
      const address = [
        canonicalRange(range) ?? range,
        ...entry.logtypes.toSorted((a, b) => Number(a) - Number(b)),
      ].join(' ')
      const ports = ((entries[address] ??= {})[scope] ??= [])
      if (port === undefined) withoutPort.add(`${scope} ${address}`)
      else if (!ports.includes(port)) ports.push(port)
    }
  }
  for (const [address, scopes] of Object.entries(entries)) {
    for (const [scope, ports] of Object.entries(scopes)) {
      if (withoutPort.has(`${scope} ${address}`)) ports.length = 0
      ports.sort((a, b) => a - b)
    }
  }
  return [entries, [...globalPorts].sort((a, b) => a - b)]
}
