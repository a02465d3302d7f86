// The header field Authorization: schemes Bearer (RFC 6750, 2.1) and Basic (RFC 7617).
import type { HttpVisit } from './visit.ts'

type Request = Pick<HttpVisit, 'headers'>

/** Undefined where the request has none. */
export const bearerOf = (request: Request): string | undefined => credentialsOf(request, 'bearer')

export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/** Undefined where the request has none. */
export function basicOf(request: Request): BasicCredentials | undefined {
  const encoded = credentialsOf(request, 'basic')
  if (encoded === undefined) return undefined
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { username, password: password.join(':') }
}

function credentialsOf({ headers }: Request, wanted: string): string | undefined {
  const [scheme = '', credentials] = (headers['Authorization'] ?? '').split(/ +/)
  return scheme.toLowerCase() === wanted ? credentials : undefined
}
