// A payment card: Stripe's own SDK is the shop that tries it, and judges our fake; its webhook helper signs the events.
import Stripe from 'stripe'
import { describe, expect, it, onTestFinished } from 'vitest'
import { API_VERSION } from '@rookery/tokens/providers/stripe/api.ts'
import { openFakeStripe } from '@rookery/tokens/test/fakes/stripe.ts'
import { hmacHex } from '@rookery/tokens/provider-signature.ts'
import { loopbackOutbound } from '../../../test/raise-incident.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import type { EngineName } from '../../db/query.ts'

const MINUTE_MS = 60_000
const WEBHOOK_SECRET = 'whsec_of_the_test'
const ISSUER_SECRET = 'secret of the issuer'.replaceAll(' ', '-')

async function open(engine: EngineName) {
  const clock = manualClock()
  const fake = await openFakeStripe(() => Math.floor(clock.now() / 1_000), API_VERSION)
  onTestFinished(fake.close)
  const stripe = new Stripe(fake.key, {
    host: '127.0.0.1',
    port: fake.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const env = {
    ROOKERY_STRIPE_SECRET_KEY: fake.key,
    ROOKERY_STRIPE_CARDHOLDER: fake.cardholder.id,
    ROOKERY_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ROOKERY_STRIPE_URL: fake.url,
    ROOKERY_CARD_ISSUER_SECRET: ISSUER_SECRET,
  }
  const rookery = await openTestConsole({ engine, env, world: { clock, outbound: loopbackOutbound() } })
  const sign = (payload: string): string =>
    stripe.webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRET,
      timestamp: Math.floor(clock.now() / 1_000),
    })
  return {
    clock,
    fake,
    stripe,
    rookery,
    sign,
    create: () => rookery.api.tokens.create({ kind: 'credit-card', memo: 'travel card' }),
    /** A shop tries the card. */
    pay: (card: string, amount = 1_250) =>
      stripe.testHelpers.issuing.authorizations.create({
        card,
        amount,
        merchant_data: { name: 'Rocket Rides', city: 'San Francisco', country: 'US' },
      }),
    async poll(): Promise<void> {
      clock.advance(MINUTE_MS)
      await rookery.console.providers.idle()
    },
  }
}

type Opened = Awaited<ReturnType<typeof open>>

async function feedUrlOf({ api }: TestConsole, provider: string): Promise<string> {
  const { providers } = await api.tokens.channels()
  return providers.find((it) => it.provider === provider)?.feed_url ?? ''
}

const eventsOf = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents.flatMap(({ description }) => description.events)

const cardOf = ({ fake }: Opened) => [...fake.cards.keys()].at(-1) ?? ''

describe.each(engines)('a payment card of Stripe (%s)', (engine) => {
  it('shows its number and code once, stores neither, and approves nothing', async () => {
    const opened = await open(engine)
    const { rookery, stripe, create } = opened
    const { decoytoken } = await create()
    const known = { brand: 'Visa', last4: '4001', expiry: '08/2029', cardholder: 'Jenny Rosen' }
    expect(decoytoken.renders).toEqual({ ...known, card_number: '4242424242424001', cvc: '123' })
    const { renders } = (await rookery.api.tokens.fetch({ decoytoken: decoytoken.decoytoken })).token
    expect(renders).toEqual(known)
    const rows = await rookery.console.base.reader.selectFrom('token').selectAll().execute()
    // Four digits without their quotation mark may be those of another number.
    for (const secret of ['4242424242424001', '"4001', 'Rosen'])
      expect(JSON.stringify(rows)).not.toContain(secret)
    const card = await stripe.issuing.cards.retrieve(cardOf(opened))
    expect(card).toMatchObject({
      type: 'virtual',
      status: 'active',
      metadata: { rookery_token: decoytoken.decoytoken },
      spending_controls: { spending_limits: [{ amount: 0, interval: 'per_authorization' }] },
    })
  })

  it('is declined by the webhook, and is one event whatever reports the attempt', async () => {
    const opened = await open(engine)
    const { clock, fake, rookery, sign, create, pay, poll } = opened
    const { decoytoken } = (await create()).decoytoken
    fake.webhook = { url: await feedUrlOf(rookery, 'stripe'), sign }
    await pay(cardOf(opened))
    const at = clock.now()
    await poll()
    await poll()
    expect(fake.answers).toEqual([
      { type: 'issuing_authorization.request', status: 200, body: '{"approved":false}' },
      { type: 'issuing_authorization.created', status: 200, body: '{}' },
    ])
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents).toHaveLength(1)
    expect(incidents[0]?.description).toMatchObject({
      logtype: '17027',
      src_host: '',
      memo: 'travel card',
      created: String(Math.floor(at / 1_000)),
      events: [
        {
          decoytoken,
          type: 'credit-card',
          event_name: 'issuing_authorization',
          dst_port: 443,
          amount: '12.50',
          currency: 'USD',
          last4: '4001',
          status: 'declined',
          method: 'online',
          src_host: '',
          headers: {},
          cvc_check: 'match',
          expiry_check: 'match',
          merchant: {
            name: 'Rocket Rides',
            city: 'San Francisco',
            country: 'US',
            category: 'eating_places_restaurants',
          },
        },
      ],
    })
  })

  it('fires within a minute also where the webhook cannot be reached', async () => {
    const opened = await open(engine)
    const { fake, rookery, create, pay, poll } = opened
    await create()
    await poll()
    await pay(cardOf(opened))
    fake.transactions.push({
      id: 'ipi_1',
      object: 'issuing.transaction',
      amount: -700,
      currency: 'jpy',
      type: 'capture',
      authorization: null,
      card: cardOf(opened),
      created: fake.cards.get(cardOf(opened))?.created ?? 0,
      merchant_data: { name: 'Forced' },
    })
    await poll()
    await poll()
    expect(await eventsOf(rookery)).toMatchObject([
      { event_name: 'issuing_authorization', amount: '12.50', reason: 'webhook_declined' },
      { event_name: 'issuing_transaction', amount: '700', currency: 'JPY', merchant: { name: 'Forced' } },
    ])
  })

  it('is cancelled with its token, and where its answer was lost', async () => {
    const { clock, fake, rookery, stripe, create } = await open(engine)
    const { decoytoken } = (await create()).decoytoken
    fake.failWith = 503
    await rookery.api.tokens.remove({ decoytoken })
    await rookery.console.providers.idle()
    fake.failWith = 0
    fake.losesAnswers = true
    await expect(create()).rejects.toMatchObject({ status: 503 })
    fake.losesAnswers = false
    const kept = await stripe.issuing.cards.create({
      cardholder: 'ich_1fake',
      currency: 'usd',
      type: 'virtual',
    })
    expect([...fake.cards.values()].map(({ status }) => status)).toEqual(['active', 'active', 'active'])
    for (let n = 0; n < 3; n++) {
      clock.advance(MINUTE_MS)
      await rookery.console.providers.idle()
    }
    const active = (await stripe.issuing.cards.list({ status: 'active' })).data.map(({ id }) => id)
    expect(active).toEqual([kept.id])
    expect((await rookery.api.tokens.ofFlock({})).tokens).toEqual([])
  })
})

describe.each(engines)('a payment card of another issuer (%s)', (engine) => {
  const given = { kind: 'credit-card', memo: 'm', card_provider: 'card-issuer' } as const

  async function openIssuer() {
    const { clock, rookery } = await open(engine)
    const url = await feedUrlOf(rookery, 'card-issuer')
    const report = async (value: object, secret = ISSUER_SECRET): Promise<string> => {
      const body = JSON.stringify(value)
      const headers = { 'x-signature': `sha256=${hmacHex(secret, body)}` }
      const response = await fetch(url, { method: 'POST', body, headers })
      return `${response.status} ${await response.text()}`
    }
    return { clock, rookery, report }
  }

  it('fires with what the issuer reports, once', async () => {
    const { clock, rookery, report } = await openIssuer()
    const { decoytoken } = await rookery.api.tokens.create({
      ...given,
      card_id: 'card-7',
      card_last4: '1234',
    })
    expect(decoytoken.renders).toEqual({ last4: '1234' })
    const use = {
      id: 'a1',
      card_id: 'card-7',
      created: clock.now() / 1_000 - 5,
      event: 'authorization.declined',
      amount: '9.90',
      currency: 'eur',
      last4: '1234',
      status: 'declined',
      merchant: { name: 'Kiosk', city: 'Bonn', country: 'DE' },
    }
    expect(await report(use)).toBe('200 {}')
    const later = { ...use, id: 'a2', created: new Date(clock.now()).toISOString(), amount: 3 }
    expect(await report({ events: [use, later, { ...use, id: 'a3', card_id: 'unknown' }] })).toBe('200 {}')
    expect(await eventsOf(rookery)).toMatchObject([
      {
        decoytoken: decoytoken.decoytoken,
        event_name: 'authorization.declined',
        src_host: '',
        amount: '9.90',
        currency: 'EUR',
        last4: '1234',
        status: 'declined',
        delay_s: 5,
        merchant: { name: 'Kiosk', city: 'Bonn', country: 'DE' },
      },
      { amount: '3', delay_s: 0 },
    ])
  })

  it('takes an empty report as a sign of life, and nothing of a request that is wrong', async () => {
    const { clock, rookery, report } = await openIssuer()
    await rookery.api.tokens.create({ ...given, card_id: 'card-7', card_last4: '1234' })
    const lastFeed = async () =>
      (await rookery.api.tokens.channels()).providers.find((it) => it.provider === 'card-issuer')?.last_feed
    expect(await report({}, 'another secret of 20')).toMatch(/^401 .*X-Signature/)
    expect(await lastFeed()).toBeNull()
    expect(await report({})).toBe('200 {}')
    expect(await lastFeed()).toBe(Math.floor(clock.now() / 1_000))
    const use = { id: 'a1', card_id: 'card-7', created: clock.now() / 1_000 }
    expect(await report({ events: [use, { ...use, id: 7 }] })).toMatch(/^400 .*events\[1\]\.id is missing/)
    expect(await eventsOf(rookery)).toEqual([])
  })
})

describe('a payment card', () => {
  it('needs the id and the last digits of the card, and never its number', async () => {
    const { rookery } = await open('sqlite')
    const given = { kind: 'credit-card', memo: 'm', card_provider: 'card-issuer' }
    const refused = (values: object) => rookery.post('/decoytoken/create', { ...given, ...values })
    for (const [values, name] of [
      [{}, 'card_id'],
      [{ card_id: 'card-7' }, 'card_last4'],
      [{ card_id: 'card-7', card_last4: '12' }, 'card_last4'],
      [{ card_id: '4242424242424242', card_last4: '4242' }, 'card_id'],
    ] as const)
      expect(await refused(values)).toMatchObject({
        status: 400,
        text: expect.stringContaining(name) as string,
      })
  })

  it('decides nothing on cards that no token has', async () => {
    const opened = await open('sqlite')
    const { fake, rookery, stripe, sign, pay } = opened
    const { id } = await stripe.issuing.cards.create({
      cardholder: fake.cardholder.id,
      currency: 'usd',
      type: 'virtual',
      status: 'active',
    })
    fake.webhook = { url: await feedUrlOf(rookery, 'stripe'), sign }
    await pay(id)
    expect(fake.answers.map(({ status, body }) => [status, body])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ])
    expect(await eventsOf(rookery)).toEqual([])
  })

  it('is a conflict where it could never fire', async () => {
    const { fake, rookery } = await open('sqlite')
    const refused = async (): Promise<string> => {
      const answer = await rookery.post('/decoytoken/create', { kind: 'credit-card', memo: 'm' })
      expect(answer.status).toBe(409)
      return answer.text
    }
    fake.cardholder.livemode = false
    expect(await refused()).toContain('test mode')
    Object.assign(fake.cardholder, { livemode: true, status: 'blocked' })
    expect(await refused()).toContain('must be active')
    Object.assign(fake.cardholder, { id: 'ich_other', status: 'active' })
    expect(await refused()).toContain('ROOKERY_STRIPE_CARDHOLDER')
    fake.key = 'sk_live_another'
    expect(await refused()).toContain('ROOKERY_STRIPE_SECRET_KEY')
    expect(fake.cards.size).toBe(0)
  })

  it('is a conflict without a provider, which names the options of the chosen provider', async () => {
    const rookery = await openTestConsole()
    const refused = (values: object) =>
      rookery.post('/decoytoken/create', { kind: 'credit-card', memo: 'm', ...values })
    const [stripe, issuer] = [await refused({}), await refused({ card_provider: 'card-issuer' })]
    expect([stripe.status, issuer.status]).toEqual([409, 409])
    expect(stripe.text).toContain('ROOKERY_STRIPE_SECRET_KEY, ROOKERY_STRIPE_CARDHOLDER.')
    expect(issuer.text).toContain('ROOKERY_CARD_ISSUER_SECRET')
    const { providers } = await rookery.api.tokens.channels()
    expect(providers.filter(({ kinds }) => kinds.includes('credit-card')).map((it) => it.provider)).toEqual([
      'card-issuer',
      'stripe',
    ])
  })
})
