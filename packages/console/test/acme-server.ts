// A small ACME server (RFC 8555) as the world sees it: it checks signatures, nonces and TXT records, and certifies.
import { createPublicKey, verify, type JsonWebKey } from 'node:crypto'
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { acmeOrders, answer, problem, type Mood } from './acme-orders.ts'
import { makeAuthority } from './certificates.ts'

export const DIRECTORY = 'https://acme.test/directory'

export interface AcmeServer {
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /** PEM of the authority. */
  readonly ca: string
  /** Names of the certificates that were given, in their order. */
  readonly given: (readonly string[])[]
  /** Contacts of the accounts, by URL. */
  readonly accounts: Map<string, readonly string[]>
  /** What it does next; a test changes it. */
  readonly mood: Mood
}

interface Signed {
  readonly payload: Record<string, unknown>
  readonly jwk: JsonWebKey
}

/** `lookUp` answers the TXT records of a name, as a resolver of the server's finds them. */
export function acmeServer(
  lookUp: (name: string) => Promise<string[]>,
  now: () => number = Date.now,
): AcmeServer {
  const authority = makeAuthority()
  const mood: Mood = {
    badNonces: 0,
    refusesOrders: undefined,
    isAway: false,
    isBlind: false,
    lifeMs: 90 * 86_400_000,
    otherNames: undefined,
  }
  const accounts = new Map<string, readonly string[]>()
  const keys = new Map<string, JsonWebKey>()
  const nonces = new Set<string>()
  const orders = acmeOrders({ authority, mood, lookUp, now })
  let count = 0

  /** The request, if its signature, nonce and URL are right. */
  function open({ url, body = '' }: OutboundRequest): Signed | OutboundAnswer {
    const parts = JSON.parse(body) as Record<'protected' | 'payload' | 'signature', string>
    const header = JSON.parse(Buffer.from(parts.protected, 'base64url').toString()) as {
      alg: string
      nonce: string
      url: string
      jwk?: JsonWebKey
      kid?: string
    }
    if (!nonces.delete(header.nonce) || mood.badNonces-- > 0) return problem(400, 'badNonce', 'Another one.')
    const jwk = header.jwk ?? keys.get(header.kid ?? '')
    if (jwk === undefined) return problem(400, 'accountDoesNotExist', 'There is no such account.')
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const bytes = Buffer.from(`${parts.protected}.${parts.payload}`)
    const signature = Buffer.from(parts.signature, 'base64url')
    const isValid = verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
    if (header.alg !== 'ES256' || header.url !== url || !isValid)
      return problem(400, 'malformed', 'Not signed.')
    const payload = Buffer.from(parts.payload, 'base64url').toString()
    return { payload: JSON.parse(payload || '{}') as Signed['payload'], jwk }
  }

  async function serve(request: OutboundRequest): Promise<OutboundAnswer> {
    const [, kind = '', n = ''] = new URL(request.url).pathname.split('/')
    if (kind === 'directory')
      return answer(200, {
        newNonce: 'https://acme.test/nonce',
        newAccount: 'https://acme.test/new-account',
        newOrder: 'https://acme.test/new-order',
      })
    if (kind === 'nonce') return answer(204)
    const signed = open(request)
    if ('status' in signed) return signed
    const { payload, jwk } = signed
    const at = Number(n)
    switch (kind) {
      case 'new-account':
      case 'account': {
        const url = kind === 'account' ? request.url : `https://acme.test/account/${++count}`
        keys.set(url, jwk)
        accounts.set(url, payload['contact'] as string[])
        return answer(kind === 'account' ? 200 : 201, { status: 'valid' }, { location: url })
      }
      case 'new-order':
        return orders.place(payload)
      case 'order':
        return answer(200, orders.view(at))
      case 'authorization':
        return answer(200, orders.authorization(at))
      case 'challenge':
        await orders.prove(at, jwk)
        return answer(200, { type: 'dns-01', url: request.url, status: 'processing' })
      case 'finalize':
        return orders.finalize(at, payload)
      case 'certificate':
        return answer(200, orders.certificate(at))
      default:
        return problem(404, 'malformed', 'There is nothing here.')
    }
  }

  return {
    ca: authority.ca,
    given: orders.given,
    accounts,
    mood,
    async send(request) {
      if (mood.isAway) throw new Error('The connection was refused.')
      const nonce = `nonce-${++count}`
      nonces.add(nonce)
      const { headers, ...rest } = await serve(request)
      return { ...rest, headers: { ...headers, 'replay-nonce': nonce } }
    },
  }
}
