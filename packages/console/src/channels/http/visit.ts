// A request to the token host, as a visit.
import type { IncomingMessage } from 'node:http'
import type { HttpVisit } from '@rookery/tokens/token.ts'

const MOST_NAMES = 1_000
const titles = new Map<string, string>()

/** `user-agent` as `User-Agent`; the names that everybody sends are remembered. */
function titleOf(name: string): string {
  const known = titles.get(name)
  if (known !== undefined) return known
  const title = name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  if (titles.size < MOST_NAMES) titles.set(name, title)
  return title
}

/** Header names in title case, repeated ones joined by commas, in the order in which they came. */
export function headersOf(raw: readonly string[]): Record<string, string> {
  // Without a prototype: a field may be called `__proto__`.
  const headers = Object.create(null) as Record<string, string>
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = titleOf(raw[at] ?? '')
    const value = raw[at + 1] ?? ''
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}

export const visitOf = (request: IncomingMessage, srcHost: string, dstPort: number): HttpVisit => ({
  channel: 'http',
  method: request.method ?? 'GET',
  path: request.url ?? '/',
  headers: headersOf(request.rawHeaders),
  srcHost,
  dstPort,
})
