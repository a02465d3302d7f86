// A request to the token host, as a visit.
import type { IncomingMessage } from 'node:http'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { HttpVisit } from '@rookery/tokens/channels/http/visit.ts'

/** Header names as they were sent, to their title case. */
const titles = boundedMap<string, string>(limit('header_names', 1_000))

/** `user-agent` as `User-Agent`. */
function titleCase(name: string): string {
  const known = titles.peek(name)
  if (known !== undefined) return known
  const title = name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  titles.set(name, title)
  return title
}

/** Header names in title case, repeated ones joined by commas, in the order in which they came. */
function headersOf(raw: readonly string[]): Record<string, string> {
  // Without a prototype: a field may be called `__proto__`.
  const headers = Object.create(null) as Record<string, string>
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = titleCase(raw[at] ?? '')
    const value = raw[at + 1] ?? ''
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}

/** What a visit takes from its request. */
export type VisitingRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>

export const visitOf = (request: VisitingRequest, srcHost: string, dstPort: number): HttpVisit => ({
  channel: 'http',
  method: request.method ?? 'GET',
  path: request.url ?? '/',
  headers: headersOf(request.rawHeaders),
  srcHost,
  dstPort,
})
