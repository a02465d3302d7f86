// What a crawler asks for before it visits a host (RFC 9309). One that obeys never opens a token, so the question raises nothing.
import type { HttpAnswer, HttpVisit } from './visit.ts'

const DISALLOWED: HttpAnswer = {
  status: 200,
  headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store, max-age=0' },
  body: 'User-agent: *\nDisallow: /\n',
}

/** Undefined for any other request. */
export const robotsAnswer = ({ method, path }: Pick<HttpVisit, 'method' | 'path'>): HttpAnswer | undefined =>
  path === '/robots.txt' && (method === 'GET' || method === 'HEAD') ? DISALLOWED : undefined
