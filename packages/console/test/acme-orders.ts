// The orders of the small ACME server: their authorizations, proofs and certificates (RFC 8555, 7.4).
import { createHash, X509Certificate, type JsonWebKey } from 'node:crypto'
import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import type { TestAuthority } from './certificates.ts'

export interface Mood {
  /** So many requests are refused with `badNonce`. */
  badNonces: number
  /** Answers each order so. */
  refusesOrders: OutboundAnswer | undefined
  /** Answers in the place of each request. */
  isAway: boolean
  /** Sees no TXT record. */
  isBlind: boolean
  /** The life of what it certifies, from its clock on. */
  lifeMs: number
  /** Certifies these names in the place of those that were asked for. */
  otherNames: readonly string[] | undefined
}

interface Order {
  readonly names: readonly string[]
  status: string
  certificate: string
}

interface Authorization {
  readonly name: string
  readonly token: string
  readonly isWildcard: boolean
  status: string
  error?: object
}

export const answer = (
  status: number,
  body: object | string = '',
  headers: Record<string, string> = {},
): OutboundAnswer => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

export const problem = (status: number, type: string, detail: string, headers: Record<string, string> = {}) =>
  answer(status, { type: `urn:ietf:params:acme:error:${type}`, detail }, headers)

export interface AcmeOrdersDeps {
  readonly authority: TestAuthority
  readonly mood: Mood
  /** The TXT records of a name. */
  readonly lookUp: (name: string) => Promise<string[]>
  readonly now: () => number
}

const HOUR_MS = 3_600_000

type Payload = Readonly<Record<string, unknown>>

export function acmeOrders({ authority, mood, lookUp, now }: AcmeOrdersDeps) {
  const orders: Order[] = []
  const authorizations: Authorization[] = []
  const given: (readonly string[])[] = []

  async function prove(at: number, jwk: JsonWebKey): Promise<void> {
    const authorization = authorizations[at]!
    const { crv, kty, x, y } = jwk
    const thumbprint = digest(JSON.stringify({ crv, kty, x, y }))
    const found = await lookUp(`_acme-challenge.${authorization.name}`)
    const isRight = !mood.isBlind && found.includes(digest(`${authorization.token}.${thumbprint}`))
    authorization.status = isRight ? 'valid' : 'invalid'
    if (!isRight)
      authorization.error = { type: 'urn:ietf:params:acme:error:unauthorized', detail: 'No TXT record.' }
  }

  const orderOf = (at: number): object => {
    const { names, status, certificate } = orders[at]!
    const open = authorizations.slice(at * 2, at * 2 + names.length)
    const isReady = open.every((it) => it.status === 'valid')
    return {
      status: status === 'pending' && isReady ? 'ready' : status,
      authorizations: open.map((_, n) => `https://acme.test/authorization/${at * 2 + n}`),
      finalize: `https://acme.test/finalize/${at}`,
      ...(certificate !== '' && { certificate: `https://acme.test/certificate/${at}` }),
    }
  }

  const authorizationOf = (at: number): object => {
    const { name, token, isWildcard, status, error } = authorizations[at]!
    const challenge = { type: 'dns-01', url: `https://acme.test/challenge/${at}`, token, status }
    const other = { type: 'http-01', url: 'https://acme.test/other', token, status }
    return {
      status,
      identifier: { type: 'dns', value: name },
      challenges: [other, { ...challenge, ...(error && { error }) }],
      ...(isWildcard && { wildcard: true }),
    }
  }

  function placeOrder(payload: Payload): OutboundAnswer {
    if (mood.refusesOrders) return mood.refusesOrders
    const names = (payload['identifiers'] as { value: string }[]).map(({ value }) => value)
    for (const name of names)
      authorizations.push({
        name: name.replace('*.', ''),
        token: `token-${authorizations.length}`,
        isWildcard: name.startsWith('*.'),
        status: 'pending',
      })
    orders.push({ names, status: 'pending', certificate: '' })
    const at = orders.length - 1
    return answer(201, orderOf(at), { location: `https://acme.test/order/${at}` })
  }

  function finalize(at: number, payload: Payload): OutboundAnswer {
    const order = orders[at]!
    const csr = Buffer.from(String(payload['csr']), 'base64url')
    const names = mood.otherNames ?? order.names
    for (const name of order.names)
      if (!csr.includes(`\x82${String.fromCharCode(name.length)}${name}`, 'latin1'))
        return problem(403, 'badCSR', `${name} is not in the request.`)
    // Authorities allow for clocks that are behind, as that of the client here may be.
    const life = { notBefore: now() - HOUR_MS, notAfter: now() + mood.lifeMs }
    order.certificate = authority.certify(names, publicKeyOf(csr), life) + authority.ca
    order.status = 'valid'
    given.push(new X509Certificate(order.certificate).subjectAltName?.split(', ') ?? [])
    return answer(200, orderOf(at))
  }

  return {
    given,
    place: placeOrder,
    view: orderOf,
    authorization: authorizationOf,
    prove,
    finalize,
    certificate: (at: number) => orders[at]!.certificate,
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The third member of CertificationRequestInfo (RFC 2986, 4.1), after the version and an empty name. */
function publicKeyOf(csr: Buffer): Buffer {
  const info = contentOf(csr, contentOf(csr, 0).start)
  const version = contentOf(csr, info.start)
  const name = contentOf(csr, version.end)
  return csr.subarray(name.end, contentOf(csr, name.end).end)
}

/** Of the DER element at `at`. */
function contentOf(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes[at + 1] ?? 0
  const size = first < 0x80 ? 0 : first & 0x7f
  const length = size === 0 ? first : bytes.readUIntBE(at + 2, size)
  const start = at + 2 + size
  return { start, end: start + length }
}
