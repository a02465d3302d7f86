// Stripe's own library signs the requests.
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { API_VERSION } from './api.ts'
import { takeWebhook } from './webhook.ts'

const SECRET = 'whsec_of_the_test'
const NOW_S = 1_700_000_000
const { webhooks } = new Stripe('sk_live_fake')

const sign = (payload: string, timestamp = NOW_S): string =>
  webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })

const take = (payload: string, signature: string, secret = SECRET) =>
  takeWebhook(secret, {
    headers: { 'stripe-signature': signature },
    body: Buffer.from(payload),
    feedUrl: '',
    receivedAt: NOW_S * 1_000,
  })

const authorization = (metadata: object) => ({
  id: 'iauth_1',
  object: 'issuing.authorization',
  amount: 0,
  approved: false,
  created: NOW_S - 9,
  currency: 'jpy',
  card: { id: 'ic_1', last4: '4242', metadata },
  pending_request: { amount: 700, currency: 'jpy' },
})
const eventOf = (type: string, object: object): string =>
  JSON.stringify({ type, api_version: '2025-01-27.acacia', data: { object } })

describe('the webhook of Stripe', () => {
  const body = eventOf('issuing_card.updated', {})

  it('takes what is signed with the secret, also while it is replaced', () => {
    expect(take(body, sign(body))).toEqual({ events: [] })
    const another = `v1=${'0'.repeat(64)}`
    expect(take(body, `${sign(body)},${another}`)).toEqual({ events: [] })
    expect(take(body, sign(body).replace(',v1', `,${another},v1`))).toEqual({ events: [] })
  })

  it('refuses another body, another time, another secret and no signature', () => {
    const signed = sign(body)
    const unlike = [
      ...[
        '',
        't=1',
        `v1=${'0'.repeat(64)}`,
        't=,v1=',
        `t=${NOW_S},v1=`,
        `t=${NOW_S},v0=${signed.slice(-64)}`,
      ],
      ...[signed.replace(/t=\d+/, `t=${NOW_S + 1}`), signed.slice(0, -1), sign(`${body} `)],
      ...[sign(body, NOW_S - 301), sign(body, NOW_S + 301)],
    ]
    for (const header of unlike)
      expect(() => take(body, header), header).toThrow(expect.objectContaining({ code: 'unauthenticated' }))
    expect(() => take(body, signed, 'whsec_other')).toThrow('does not fit')
    expect(() => take(body, signed, '')).toThrow('is not set')
    expect(take(body, sign(body, NOW_S - 300))).toEqual({ events: [] })
  })

  it('refuses a body that is no event', () => {
    for (const odd of ['', '[]', 'null', '{', '"x"'])
      expect(() => take(odd, sign(odd))).toThrow(expect.objectContaining({ code: 'bad-input' }))
    for (const bare of ['{}', '{"type":"issuing_authorization.created"}', '{"type":7,"data":[]}'])
      expect(take(bare, sign(bare))).toEqual({ events: [] })
  })

  it('declines a card of ours in the version of the event, and reports the use', () => {
    const asked = eventOf('issuing_authorization.request', authorization({ rookery_token: 'abc' }))
    const { events, answer } = take(asked, sign(asked))
    expect(events).toMatchObject([{ id: 'iauth_1', remoteId: 'ic_1', at: (NOW_S - 9) * 1_000, srcHost: '' }])
    expect(events[0]?.fields).toEqual({ amount: '700', currency: 'JPY', last4: '4242', status: 'declined' })
    expect(answer).toMatchObject({
      status: 200,
      body: '{"approved":false}',
      headers: { 'Stripe-Version': '2025-01-27.acacia' },
    })
  })

  it('decides nothing on a card of somebody else', () => {
    for (const metadata of [{}, null as never, { rookery_token: 7 }]) {
      const asked = eventOf('issuing_authorization.request', authorization(metadata))
      expect(take(asked, sign(asked)).answer).toBeUndefined()
    }
  })

  it('reports a card that somebody added to a wallet', () => {
    const token = { id: 'intok_1', object: 'issuing.token', card: 'ic_1', created: NOW_S, last4: '9999' }
    const added = eventOf('issuing_token.created', {
      ...token,
      wallet_provider: 'apple_pay',
      status: 'active',
    })
    expect(take(added, sign(added)).events).toMatchObject([
      { remoteId: 'ic_1', eventName: 'issuing_token', fields: { wallet: 'apple_pay', status: 'active' } },
    ])
  })

  it('has the version of the API that the library has', () => {
    expect(API_VERSION).toBe(Stripe.API_VERSION)
  })
})
