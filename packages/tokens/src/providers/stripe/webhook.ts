// Stripe's webhook: the signature over time and body, and the answer to an authorization that waits for one.
import { Fault } from '@rookery/kernel/fault.ts'
import { isRecord, textOf } from '../../provider-call.ts'
import { hmacHex, isSameSecret } from '../../provider-signature.ts'
import type { FeedReport, FeedRequest, ProviderEvent } from '../../provider.ts'
import { API_VERSION } from './api.ts'
import { tokenOfCard } from './cards.ts'
import { useOf } from './uses.ts'

/** As Stripe's own libraries have it. */
const TOLERANCE_S = 300

/** What tells of a use; other types are taken and left aside. */
const USES = new Set([
  'issuing_authorization.request',
  'issuing_authorization.created',
  'issuing_transaction.created',
  'issuing_token.created',
])

export function takeWebhook(secret: string, request: FeedRequest): FeedReport {
  requireSignature(secret, request)
  const event = eventOf(request.body)
  const type = textOf(event, 'type')
  const data = event['data']
  const object: unknown = isRecord(data) ? data['object'] : undefined
  const use = USES.has(type) ? useOf(object) : undefined
  const events: readonly ProviderEvent[] = use ? [use] : []
  const isAsked = type === 'issuing_authorization.request' && isOurs(object)
  return isAsked ? { events, answer: declined(textOf(event, 'api_version')) } : { events }
}

/** Other cards of the account are none of ours to decide on: Stripe does it by the account's settings. */
const isOurs = (authorization: unknown): boolean =>
  isRecord(authorization) && tokenOfCard(authorization['card']) !== ''

/** Stripe reads the version of the answer in its header. */
const declined = (version: string) => ({
  status: 200,
  headers: { 'Content-Type': 'application/json', 'Stripe-Version': version || API_VERSION },
  body: '{"approved":false}',
})

/**
 * `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]`: HMAC-SHA-256 over `<t>.<body>`; there are two while a secret is
 * replaced.
 */
function requireSignature(secret: string, { headers, body, receivedAt }: FeedRequest): void {
  if (secret === '') throw wrong('ROOKERY_STRIPE_WEBHOOK_SECRET is not set, so no event can be verified')
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim().split('='))
  const [, time = ''] = parts.find(([name]) => name === 't') ?? []
  const signatures = parts.filter(([name]) => name === 'v1').map(([, value = '']) => value)
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0)
    throw wrong('The header Stripe-Signature is missing or cannot be read')
  const expected = hmacHex(secret, `${time}.`, body)
  // All are compared: the time that it takes says nothing.
  const matches = signatures.filter((signature) => isSameSecret(signature, expected))
  if (matches.length === 0)
    throw wrong('The header Stripe-Signature does not fit ROOKERY_STRIPE_WEBHOOK_SECRET')
  if (Math.abs(receivedAt / 1_000 - Number(time)) > TOLERANCE_S)
    throw wrong(`The header Stripe-Signature is of another time: more than ${TOLERANCE_S} s away`)
}

const wrong = (reason: string): Fault => new Fault('unauthenticated', `${reason}.`)

function eventOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const event: unknown = JSON.parse(body.toString('utf8'))
    if (isRecord(event)) return event
  } catch {
    // Refused below, as every other body that is no event.
  }
  throw new Fault('bad-input', 'The body is no event of Stripe: it must be a JSON object with type and data.')
}
