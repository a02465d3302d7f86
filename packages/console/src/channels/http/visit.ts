// A request to the token host, as a visit.
import type { IncomingMessage } from 'node:http'
import type { HttpVisit } from '@rookery/tokens/token.ts'

/** Header names in title case, repeated ones joined by commas, in the order in which they came. */
export function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
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
