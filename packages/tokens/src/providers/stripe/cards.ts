// Virtual cards of Stripe Issuing that approve nothing: made, found by the token's id, and cancelled.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { numberOf, textOf } from '../../provider-call.ts'
import type { ProvisionedResource, RemoteResource } from '../../provider.ts'
import { listAll, type CallStripe } from './api.ts'

export interface CardAccount {
  readonly call: CallStripe
  readonly cardholder: string
  readonly currency: string
}

/** The metadata of a card that this console made: the id of its token. */
const TOKEN_TAG = 'rookery_token'

/** Pages of cards that are searched for one whose creation got no answer. */
const PAGES = limit('pages_of_stripe_cards', 100)

/** A card of test mode, or of a cardholder who may use none, would never fire. */
async function requireCardholder({ call, cardholder }: CardAccount): Promise<string> {
  const { error, json } = await call({ method: 'GET', path: `issuing/cardholders/${cardholder}` })
  const wrong = (reason: string): Fault => new Fault('conflict', `No card can be issued: ${reason}`)
  if (error !== undefined) throw wrong(`Stripe refuses ROOKERY_STRIPE_CARDHOLDER: ${error}`)
  if (json['livemode'] !== true)
    throw wrong('ROOKERY_STRIPE_SECRET_KEY is a key of test mode, whose cards no shop takes.')
  const status = textOf(json, 'status')
  if (status !== 'active') throw wrong(`the cardholder ${cardholder} is ${status}, and must be active.`)
  return textOf(json, 'name')
}

export async function issueCard(account: CardAccount, tokenId: string): Promise<ProvisionedResource> {
  const { call, cardholder, currency } = account
  const name = await requireCardholder(account)
  const { error, json } = await call({
    method: 'POST',
    path: 'issuing/cards',
    idempotencyKey: `rookery-${tokenId}`,
    params: [
      ['cardholder', cardholder],
      ['currency', currency],
      ['type', 'virtual'],
      ['status', 'active'],
      ['spending_controls[spending_limits][0][amount]', '0'],
      ['spending_controls[spending_limits][0][interval]', 'per_authorization'],
      [`metadata[${TOKEN_TAG}]`, tokenId],
    ],
  })
  if (error !== undefined) throw new Fault('conflict', `Stripe issues no card: ${error}`)
  const id = textOf(json, 'id')
  const { number, cvc } = await readSecrets(call, id)
  const month = String(numberOf(json, 'exp_month') ?? '').padStart(2, '0')
  return {
    remoteId: id,
    issued: {
      brand: textOf(json, 'brand'),
      last4: textOf(json, 'last4'),
      expiry: `${month}/${numberOf(json, 'exp_year') ?? ''}`,
      cardholder: name,
    },
    shownOnce: { card_number: number, cvc },
  }
}

/** Stripe shows them to this call alone. */
async function readSecrets(call: CallStripe, id: string): Promise<{ number: string; cvc: string }> {
  const { error, json } = await call({
    method: 'GET',
    path: `issuing/cards/${id}`,
    params: [
      ['expand[]', 'number'],
      ['expand[]', 'cvc'],
    ],
  })
  const [number, cvc] = [textOf(json, 'number'), textOf(json, 'cvc')]
  if (error === undefined && number !== '') return { number, cvc }
  throw new Fault(
    'conflict',
    `Stripe does not show the number of the card: ${error ?? 'the account may not read card numbers.'}`,
  )
}

/** Cancels what was made for the token; a card that is cancelled or unknown is no failure. */
export async function cancelCards(
  account: CardAccount,
  { tokenId, remoteId }: Pick<RemoteResource, 'tokenId' | 'remoteId'>,
): Promise<void> {
  const ids = remoteId === '' ? await cardsOfToken(account, tokenId) : [remoteId]
  for (const id of ids) await cancelCard(account.call, id)
}

async function cardsOfToken({ call, cardholder }: CardAccount, tokenId: string): Promise<string[]> {
  const { items, isWhole } = await listAll(call, {
    path: 'issuing/cards',
    params: [
      ['cardholder', cardholder],
      ['status', 'active'],
    ],
    mostPages: PAGES.max,
  })
  if (!isWhole) {
    PAGES.hit()
    throw new Fault('unavailable', `The cardholder ${cardholder} has too many cards to find one of them.`)
  }
  return items.filter((card) => tokenOfCard(card) === tokenId).map((card) => textOf(card, 'id'))
}

async function cancelCard(call: CallStripe, id: string): Promise<void> {
  const path = `issuing/cards/${id}`
  const { status, error } = await call({ method: 'POST', path, params: [['status', 'canceled']] })
  if (error === undefined || status === 404) return
  const now = await call({ method: 'GET', path })
  if (textOf(now.json, 'status') === 'canceled') return
  throw new Fault('unavailable', `Stripe does not cancel the card ${id}: ${error}`)
}

/** The token that the card was made for; empty for a card of somebody else's. */
export const tokenOfCard = (card: unknown): string =>
  textOf((card as { readonly metadata?: unknown } | null)?.metadata, TOKEN_TAG)
