// Signature Version 4 of AWS, as a request carries it in its header or in its query (IAM user guide, "Create a signed request").
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { HttpVisit } from '../../channels/http/visit.ts'

export interface Signature {
  readonly accessKeyId: string
  /** `20261123` */
  readonly date: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: readonly string[]
  /** 64 hexadecimal digits. */
  readonly signature: string
  /** It stands in the query: an address that was signed for others. */
  readonly isPresigned: boolean
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const MAX_SIGNED_HEADERS = 64

/** Undefined where the request is not signed. */
export function signatureOf({ headers, path }: HttpVisit): Signature | undefined {
  const authorization = headers['Authorization'] ?? ''
  if (authorization.startsWith(`${ALGORITHM} `)) {
    const part = (name: string): string => new RegExp(`[ ,]${name}=([^, ]*)`).exec(authorization)?.[1] ?? ''
    return read(part('Credential'), part('SignedHeaders'), part('Signature'), false)
  }
  const query = new URLSearchParams(splitPath(path).query)
  if (query.get('X-Amz-Algorithm') !== ALGORITHM) return undefined
  const part = (name: string): string => query.get(`X-Amz-${name}`) ?? ''
  return read(part('Credential'), part('SignedHeaders'), part('Signature'), true)
}

function read(
  credential: string,
  signedHeaders: string,
  signature: string,
  isPresigned: boolean,
): Signature | undefined {
  const [accessKeyId = '', date = '', region = '', service = '', end] = credential.split('/')
  if (end !== 'aws4_request') return undefined
  const names = signedHeaders.toLowerCase().split(';').slice(0, MAX_SIGNED_HEADERS)
  return { accessKeyId, date, region, service, signedHeaders: names, signature, isPresigned }
}

/**
 * Whether the request is signed with the secret; undefined where its body was not kept, which the signature covers.
 * `base` is the path of the endpoint.
 */
export function isSignedWith(
  secret: string,
  visit: HttpVisit,
  signature: Signature,
  base: string,
): boolean | undefined {
  const payload = payloadHash(visit, signature)
  if (payload === undefined) return undefined
  const { date, region, service } = signature
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`))
  const { pathname } = splitPath(visit.path)
  const host = fieldsOf(visit).get('host') ?? ''
  const paths = [{ pathname, host }]
  // s3cmd takes the path of the endpoint for a part of the host name.
  if (pathname.startsWith(base))
    paths.push({ pathname: pathname.slice(base.length) || '/', host: host + base })
  return paths.some((place) => {
    const expected = hmac(key, stringToSign(visit, signature, { ...place, payload }))
    const given = Buffer.from(signature.signature, 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

interface Parts {
  readonly pathname: string
  readonly host: string
  readonly payload: string
}

function stringToSign(visit: HttpVisit, signature: Signature, { pathname, host, payload }: Parts): string {
  const { date, region, service, signedHeaders, isPresigned } = signature
  const fields = fieldsOf(visit).set('host', host)
  const { query } = splitPath(visit.path)
  const canonical = [
    visit.method,
    canonicalPath(pathname, service),
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${(fields.get(name) ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    payload,
  ]
  const time = isPresigned ? new URLSearchParams(query).get('X-Amz-Date') : fields.get('x-amz-date')
  return [
    ALGORITHM,
    time ?? '',
    `${date}/${region}/${service}/aws4_request`,
    sha256(canonical.join('\n')),
  ].join('\n')
}

/** Clients that sign a hash name it; the others sign the hash of the body. */
function payloadHash(visit: HttpVisit, { isPresigned }: Signature): string | undefined {
  const named = visit.headers['X-Amz-Content-Sha256']
  if (named !== undefined) return named
  if (isPresigned) return 'UNSIGNED-PAYLOAD'
  return visit.isBodyCut ? undefined : sha256(visit.body ?? '')
}

/** By their names in lower case. */
const fieldsOf = ({ headers }: HttpVisit): Map<string, string> =>
  new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

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

export function splitPath(path: string): { readonly pathname: string; readonly query: string } {
  const at = path.indexOf('?')
  return at < 0 ? { pathname: path, query: '' } : { pathname: path.slice(0, at), query: path.slice(at + 1) }
}

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

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
