// Uses of cards as Stripe describes them: authorizations, captures without one, and cards that were added to a wallet.
import { limit } from '@rookery/kernel/limit.ts'
import { cardFields } from '../../card-use.ts'
import { isRecord, numberOf, textOf } from '../../provider-call.ts'
import type { PollReport, ProviderEvent } from '../../provider.ts'
import { listAll, type CallStripe } from './api.ts'
import { amountText } from './amount.ts'

/** The use that an object tells of, whatever brought it; undefined for an object that is none. */
export function useOf(object: unknown): ProviderEvent | undefined {
  switch (textOf(object, 'object')) {
    case 'issuing.authorization':
      return authorized(object)
    case 'issuing.transaction':
      // One with an authorization was reported as that.
      return textOf(object, 'authorization') === '' ? captured(object) : undefined
    case 'issuing.token':
      return addedToWallet(object)
    default:
      return undefined
  }
}

const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

const common = (object: unknown) => {
  const card = fieldOf(object, 'card')
  return {
    // One object is one use, however often it is reported.
    id: textOf(object, 'id'),
    remoteId: typeof card === 'string' ? card : textOf(card, 'id'),
    at: (numberOf(object, 'created') ?? 0) * 1_000,
    srcHost: '',
  }
}

const merchantOf = (object: unknown) => {
  const merchant = fieldOf(object, 'merchant_data')
  return {
    name: textOf(merchant, 'name'),
    city: textOf(merchant, 'city'),
    country: textOf(merchant, 'country'),
    category: textOf(merchant, 'category'),
  }
}

function authorized(object: unknown): ProviderEvent {
  const pending = fieldOf(object, 'pending_request')
  const history = fieldOf(object, 'request_history')
  const decided: unknown = Array.isArray(history) ? history.at(-1) : undefined
  // Stripe sets the amount of what was declined to zero: the requests have it.
  const asked = [pending, decided, object].find((it) => numberOf(it, 'amount') !== undefined)
  const verified = fieldOf(object, 'verification_data')
  return {
    ...common(object),
    eventName: 'issuing_authorization',
    fields: cardFields({
      merchant: merchantOf(object),
      ...amountOf(asked),
      last4: textOf(fieldOf(object, 'card'), 'last4'),
      status: fieldOf(object, 'approved') === true ? 'approved' : 'declined',
      reason: textOf(decided, 'reason'),
      method: textOf(object, 'authorization_method'),
      wallet: textOf(object, 'wallet'),
      cvc_check: textOf(verified, 'cvc_check'),
      expiry_check: textOf(verified, 'expiry_check'),
      three_d_secure: textOf(fieldOf(verified, 'three_d_secure'), 'result'),
    }),
  }
}

const captured = (object: unknown): ProviderEvent => ({
  ...common(object),
  eventName: 'issuing_transaction',
  fields: cardFields({
    merchant: merchantOf(object),
    ...amountOf(object),
    last4: textOf(fieldOf(object, 'card'), 'last4'),
    status: textOf(object, 'type'),
    wallet: textOf(object, 'wallet'),
  }),
})

const addedToWallet = (object: unknown): ProviderEvent => ({
  ...common(object),
  eventName: 'issuing_token',
  fields: cardFields({
    merchant: {},
    amount: '',
    currency: '',
    last4: textOf(object, 'last4'),
    status: textOf(object, 'status'),
    wallet: textOf(object, 'wallet_provider'),
  }),
})

function amountOf(object: unknown): { readonly amount: string; readonly currency: string } {
  const [minor, currency] = [numberOf(object, 'amount'), textOf(object, 'currency').toUpperCase()]
  return { amount: minor === undefined ? '' : amountText(Math.abs(minor), currency), currency }
}

/** Pages of uses that one poll reads. */
const PAGES = limit('pages_of_stripe_issuing', 10)
/** Objects that come again are known by their ids. */
const OVERLAP_S = 900

/** What happened since the last poll, also where the webhook could not be reached. */
export async function pollUses(call: CallStripe, position: string, now: number): Promise<PollReport> {
  const nowS = Math.floor(now / 1_000)
  const since = /^\d+$/.test(position) ? position : String(nowS - OVERLAP_S)
  const events: ProviderEvent[] = []
  for (const path of ['issuing/authorizations', 'issuing/transactions']) {
    const asked = { path, params: [['created[gte]', since]] as const, mostPages: PAGES.max }
    const { items, isWhole } = await listAll(call, asked)
    if (!isWhole) PAGES.hit()
    events.push(...items.map(useOf).filter((use) => use !== undefined))
  }
  return { events, position: String(nowS - OVERLAP_S) }
}
