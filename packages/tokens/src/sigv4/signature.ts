// The signature of a request by Signature Version 4 of AWS (IAM user guide, "Create a signed request").
import { createHash, createHmac } from 'node:crypto'

export const ALGORITHM = 'AWS4-HMAC-SHA256'

/** For what a key is derived of the secret. */
export interface Scope {
  /** `20261123` */
  readonly date: string
  readonly region: string
  readonly service: string
}

export interface CanonicalInput {
  readonly method: string
  /** As sent. */
  readonly pathname: string
  readonly query: string
  /** Header fields, by their names in lower case. */
  readonly fields: ReadonlyMap<string, string>
  readonly signedHeaders: readonly string[]
  /** Of the body, 64 hexadecimal digits; or the word that stands for it. */
  readonly payloadHash: string
  /** `20261123T010203Z` */
  readonly time: string
}

/** `<date>/<region>/<service>/aws4_request` */
export const scopeText = ({ date, region, service }: Scope): string =>
  `${date}/${region}/${service}/aws4_request`

/** The 32 bytes of the signature. */
export function signatureOf(secret: string, scope: Scope, input: CanonicalInput): Buffer {
  const key = scopeText(scope)
    .split('/')
    .reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`))
  return hmac(key, [ALGORITHM, input.time, scopeText(scope), sha256(canonical(scope, input))].join('\n'))
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const canonical = ({ service }: Scope, input: CanonicalInput): string =>
  [
    input.method,
    canonicalPath(input.pathname, service),
    canonicalQuery(input.query),
    ...input.signedHeaders.map(
      (name) => `${name}:${(input.fields.get(name) ?? '').trim().replace(/ +/g, ' ')}`,
    ),
    '',
    input.signedHeaders.join(';'),
    input.payloadHash,
  ].join('\n')

/** S3 encodes a path once, every other service twice. */
const canonicalPath = (pathname: string, service: string): string =>
  pathname
    .split('/')
    .map((segment) => (service === 's3' ? encoded(decoded(segment)) : encoded(segment)))
    .join('/')

function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => {
      const at = pair.indexOf('=')
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return [encoded(decoded(name)), encoded(decoded(value))] as const
    })
  return pairs
    .sort(([a, x], [b, y]) => order(a, b) || order(x, y))
    .map((pair) => pair.join('='))
    .join('&')
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A text that is no percent-encoding stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** RFC 3986: all but its unreserved characters. A lone surrogate, which has no encoding, becomes U+FFFD. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
