// Signature Version 4 of AWS, as a request carries it in its header or in its query.
import { timingSafeEqual } from 'node:crypto'
import type { HttpVisit } from '../channels/http/visit.ts'
import { ALGORITHM, sha256, signatureOf, type Scope } from './signature.ts'

export interface CarriedSignature extends Scope {
  readonly accessKeyId: string
  readonly signedHeaders: readonly string[]
  /** 64 hexadecimal digits. */
  readonly signature: string
  /** It stands in the query: an address that was signed for others. */
  readonly isPresigned: boolean
}

const MAX_SIGNED_HEADERS = 64

/** Undefined where the request is not signed. */
export function carriedSignature({ headers, path }: HttpVisit): CarriedSignature | undefined {
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
): CarriedSignature | undefined {
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
  carried: CarriedSignature,
  base: string,
): boolean | undefined {
  const payloadHash = payloadHashOf(visit, carried)
  if (payloadHash === undefined) return undefined
  const { pathname, query } = splitPath(visit.path)
  const fields = fieldsOf(visit)
  const host = fields.get('host') ?? ''
  const time =
    (carried.isPresigned ? new URLSearchParams(query).get('X-Amz-Date') : fields.get('x-amz-date')) ?? ''
  const places = [{ pathname, host }]
  // s3cmd takes the path of the endpoint for a part of the host name.
  if (pathname.startsWith(base))
    places.push({ pathname: pathname.slice(base.length) || '/', host: host + base })
  const given = Buffer.from(carried.signature, 'hex')
  return places.some((place) => {
    const expected = signatureOf(secret, carried, {
      method: visit.method,
      pathname: place.pathname,
      query,
      fields: new Map([...fields, ['host', place.host]]),
      signedHeaders: carried.signedHeaders,
      payloadHash,
      time,
    })
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Clients that sign a hash name it; the others sign the hash of the body. */
function payloadHashOf(visit: HttpVisit, { isPresigned }: CarriedSignature): string | undefined {
  const named = visit.headers['X-Amz-Content-Sha256']
  if (named !== undefined) return named
  if (isPresigned) return 'UNSIGNED-PAYLOAD'
  return visit.isBodyCut ? undefined : sha256(visit.body ?? '')
}

/** By their names in lower case. */
const fieldsOf = ({ headers }: HttpVisit): Map<string, string> =>
  new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

export function splitPath(path: string): { readonly pathname: string; readonly query: string } {
  const at = path.indexOf('?')
  return at < 0 ? { pathname: path, query: '' } : { pathname: path.slice(0, at), query: path.slice(at + 1) }
}
