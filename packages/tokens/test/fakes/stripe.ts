// An account of Stripe Issuing on loopback: cardholders, cards, authorizations and transactions, and its webhook.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'

export type FakeCard = Pick<
  Stripe.Issuing.Card,
  'id' | 'object' | 'brand' | 'created' | 'currency' | 'exp_month' | 'exp_year' | 'last4' | 'livemode'
> & {
  readonly cardholder: FakeCardholder
  readonly metadata: Stripe.Metadata
  readonly spending_controls: { readonly spending_limits: readonly object[] }
  readonly type: 'virtual'
  status: 'active' | 'canceled'
}

export interface FakeCardholder extends Pick<Stripe.Issuing.Cardholder, 'id' | 'object' | 'name'> {
  livemode: boolean
  status: 'active' | 'blocked'
}

type FakeAuthorization = Pick<
  Stripe.Issuing.Authorization,
  'id' | 'object' | 'amount' | 'approved' | 'authorization_method' | 'created' | 'currency' | 'status'
> & {
  readonly card: FakeCard
  readonly merchant_data: Partial<Stripe.Issuing.Authorization.MerchantData>
  readonly pending_request: Partial<Stripe.Issuing.Authorization.PendingRequest> | null
  readonly request_history: readonly Partial<Stripe.Issuing.Authorization.RequestHistory>[]
  readonly verification_data: Partial<Stripe.Issuing.Authorization.VerificationData>
  readonly wallet: string | null
}

type FakeTransaction = Pick<
  Stripe.Issuing.Transaction,
  'id' | 'object' | 'amount' | 'authorization' | 'card' | 'created' | 'currency' | 'type'
> & { readonly merchant_data: Partial<Stripe.Issuing.Transaction.MerchantData> }

/** What the fake's own calls share. */
interface Account {
  readonly nowS: () => number
  readonly nextId: (prefix: string) => string
  readonly apiVersion: string
  readonly authorizations: FakeAuthorization[]
  readonly byIdempotencyKey: Map<string, FakeCard>
  readonly fake: FakeStripe
}

export interface FakeStripe {
  readonly url: string
  readonly port: number
  /** The secret key that it takes. */
  key: string
  readonly cardholder: FakeCardholder
  readonly cards: Map<string, FakeCard>
  readonly transactions: FakeTransaction[]
  /** Where events go, with the header that signs them; undefined while none is registered. */
  webhook: { readonly url: string; readonly sign: (body: string) => string } | undefined
  /** What the webhook answered, by the event's type. */
  readonly answers: { readonly type: string; readonly status: number; readonly body: string }[]
  /** What every call is answered, such as 503; 0 for its answer. */
  failWith: number
  /** The card is made, and its answer lost. */
  losesAnswers: boolean
  close(): Promise<void>
}

/** `nowS` is the time of new objects, in seconds. */
export async function openFakeStripe(nowS: () => number, apiVersion: string): Promise<FakeStripe> {
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const [status, value] = await answerOf(account, request, body)
      if (request.method === 'POST' && fake.losesAnswers) return void response.destroy()
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' })
      return response.end(JSON.stringify(value))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fake: FakeStripe = {
    url: `http://127.0.0.1:${port}`,
    port,
    key: 'sk_live_fake',
    cards: new Map(),
    transactions: [],
    cardholder: {
      id: 'ich_1fake',
      object: 'issuing.cardholder',
      name: 'Jenny Rosen',
      livemode: true,
      status: 'active',
    },
    webhook: undefined,
    answers: [],
    failWith: 0,
    losesAnswers: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  let made = 0
  const account: Account = {
    fake,
    nowS,
    apiVersion,
    authorizations: [],
    byIdempotencyKey: new Map(),
    nextId: (prefix) => `${prefix}_${++made}`,
  }
  return fake
}

async function answerOf(
  account: Account,
  { method = '', url = '', headers }: IncomingMessage,
  body: string,
): Promise<readonly [status: number, value: object]> {
  const { failWith, key } = account.fake
  const { pathname, searchParams } = new URL(url, 'http://stripe')
  if (failWith !== 0) return [failWith, { error: { message: 'Try again.' } }]
  if (headers.authorization !== `Bearer ${key}`)
    return [401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } }]
  const form = method === 'GET' ? searchParams : new URLSearchParams(body)
  const found = await called(account, `${method} ${pathname}`, form, String(headers['idempotency-key'] ?? ''))
  if (found) return [200, found]
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object.' }
  return [method === 'GET' ? 404 : 400, { error }]
}

/** The object that a call answers; undefined where there is none. */
function called(
  account: Account,
  call: string,
  form: URLSearchParams,
  idempotencyKey: string,
): object | undefined | Promise<object | undefined> {
  const { cards, cardholder, transactions } = account.fake
  const id = /\/((?:ic|ich)_\w+)$/.exec(call)?.[1] ?? ''
  const card = cards.get(id)
  switch (id === '' ? call : call.replace(id, ':id')) {
    case 'GET /v1/issuing/cardholders/:id':
      return id === cardholder.id ? cardholder : undefined
    case 'POST /v1/issuing/cards':
      return makeCard(account, form, idempotencyKey)
    case 'GET /v1/issuing/cards': {
      const wanted = form.get('status')
      const all = [...cards.values()].reverse()
      return pageOf(
        all.filter(({ status }) => status === (wanted ?? status)),
        form,
      )
    }
    case 'GET /v1/issuing/cards/:id':
      return card && expanded(card, form)
    case 'POST /v1/issuing/cards/:id':
      return card && Object.assign(card, { status: form.get('status') ?? card.status })
    case 'GET /v1/issuing/authorizations':
      return pageOf(createdSince(account.authorizations, form), form)
    case 'GET /v1/issuing/transactions':
      return pageOf(createdSince(transactions, form), form)
    case 'POST /v1/test_helpers/issuing/authorizations':
      return authorize(account, form)
    default:
      return undefined
  }
}

function makeCard(
  { fake: { cardholder, cards }, byIdempotencyKey, nextId, nowS }: Account,
  form: URLSearchParams,
  idempotencyKey: string,
): FakeCard | undefined {
  const known = byIdempotencyKey.get(idempotencyKey)
  if (known || form.get('cardholder') !== cardholder.id) return known
  const limited = 'spending_controls[spending_limits][0]'
  const spending = {
    amount: Number(form.get(`${limited}[amount]`)),
    interval: form.get(`${limited}[interval]`),
  }
  const card: FakeCard = {
    id: nextId('ic'),
    object: 'issuing.card',
    brand: 'Visa',
    created: nowS(),
    cardholder,
    currency: form.get('currency') ?? '',
    exp_month: 8,
    exp_year: 2029,
    livemode: true,
    last4: String(4_001 + cards.size),
    type: 'virtual',
    status: 'active',
    metadata: { rookery_token: form.get('metadata[rookery_token]') ?? '' },
    spending_controls: { spending_limits: [spending] },
  }
  cards.set(card.id, card)
  if (idempotencyKey !== '') byIdempotencyKey.set(idempotencyKey, card)
  return card
}

/** Number and code are shown where they are asked for. */
function expanded(card: FakeCard, form: URLSearchParams): object {
  const asked = [...form].filter(([name]) => name.startsWith('expand')).map(([, value]) => value)
  return {
    ...card,
    ...(asked.includes('number') && { number: `424242424242${card.last4}` }),
    ...(asked.includes('cvc') && { cvc: '123' }),
  }
}

/** A shop asks: the webhook first, as Stripe does, then the event of what was decided. */
async function authorize(account: Account, form: URLSearchParams): Promise<FakeAuthorization | undefined> {
  const { fake, nextId, nowS, authorizations } = account
  const card = fake.cards.get(form.get('card') ?? '')
  if (!card) return undefined
  const [amount, currency] = [Number(form.get('amount')), card.currency]
  const open: FakeAuthorization = {
    id: nextId('iauth'),
    object: 'issuing.authorization',
    created: nowS(),
    card,
    currency,
    amount: 0,
    approved: false,
    status: 'pending',
    authorization_method: 'online',
    wallet: null,
    merchant_data: {
      name: form.get('merchant_data[name]'),
      city: form.get('merchant_data[city]'),
      country: form.get('merchant_data[country]'),
      category: 'eating_places_restaurants',
    },
    pending_request: { amount, currency },
    request_history: [],
    verification_data: { cvc_check: 'match', expiry_check: 'match', three_d_secure: null },
  }
  const isActive = card.status === 'active'
  if (isActive) await deliver(account, 'issuing_authorization.request', open)
  const reason = isActive ? 'webhook_declined' : 'card_canceled'
  const decided: FakeAuthorization = {
    ...open,
    status: 'closed',
    pending_request: null,
    request_history: [{ amount, currency, approved: false, reason, created: nowS() }],
  }
  authorizations.unshift(decided)
  await deliver(account, 'issuing_authorization.created', decided)
  return decided
}

async function deliver(
  { fake: { webhook, answers }, nextId, apiVersion, nowS }: Account,
  type: string,
  object: object,
): Promise<void> {
  if (!webhook) return
  const event = { id: nextId('evt'), object: 'event', api_version: apiVersion, created: nowS() }
  const body = JSON.stringify({ ...event, type, livemode: true, data: { object } })
  const headers = { 'content-type': 'application/json', 'stripe-signature': webhook.sign(body) }
  const response = await fetch(webhook.url, { method: 'POST', headers, body })
  answers.push({ type, status: response.status, body: await response.text() })
}

function pageOf<T extends { readonly id: string }>(items: readonly T[], form: URLSearchParams): object {
  const start = items.findIndex(({ id }) => id === form.get('starting_after')) + 1
  const end = start + Number(form.get('limit') ?? 10)
  return { object: 'list', has_more: items.length > end, data: items.slice(start, end) }
}

const createdSince = <T extends { readonly created: number }>(
  items: readonly T[],
  form: URLSearchParams,
): T[] => items.filter(({ created }) => created >= Number(form.get('created[gte]') ?? 0))

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
