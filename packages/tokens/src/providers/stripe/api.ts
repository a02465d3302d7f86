// Stripe's API: a form in, a JSON object out, in the version of the API that this client knows.
import { Fault } from '@rookery/kernel/fault.ts'
import { callProvider, reasonText, textOf } from '../../provider-call.ts'
import type { ProviderWorld } from '../../provider.ts'

export const API_VERSION = '2026-10-28.endive'

export interface StripeCall {
  readonly method: 'GET' | 'POST'
  /** Below `/v1/`. */
  readonly path: string
  /** Nested names are written as Stripe reads them: `metadata[token]`. */
  readonly params?: readonly (readonly [name: string, value: string])[]
  /** The same call with this key is done once. */
  readonly idempotencyKey?: string
}

export interface StripeAnswer {
  readonly status: number
  /** What Stripe refused it for, in its words; undefined where the call succeeded. */
  readonly error: string | undefined
  readonly json: Readonly<Record<string, unknown>>
}

export type CallStripe = (call: StripeCall) => Promise<StripeAnswer>

/** A key that Stripe refuses is a `conflict` that names the option. */
export const stripeCaller =
  (world: ProviderWorld, base: string, secretKey: string): CallStripe =>
  async ({ method, path, params = [], idempotencyKey }) => {
    const form = new URLSearchParams(
      params.map(([name, value]): [string, string] => [name, value]),
    ).toString()
    const url = `${base.replace(/\/+$/, '')}/v1/${path}`
    const { status, json } = await callProvider(world, 'Stripe', {
      url: method === 'GET' && form !== '' ? `${url}?${form}` : url,
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        'stripe-version': API_VERSION,
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(method === 'POST' && { body: form }),
    })
    const error = textOf(json['error'], 'message')
    if (status === 401 || status === 403)
      throw new Fault('conflict', `Stripe refuses ROOKERY_STRIPE_SECRET_KEY: ${reasonText(error)}`)
    if (status >= 200 && status < 300 && textOf(json, 'object') !== '')
      return { status, error: undefined, json }
    if (status >= 400) return { status, error: reasonText(error), json }
    throw new Fault('unavailable', `Stripe answered ${path} with ${status}, which cannot be read.`)
  }

const PER_PAGE = 100

export interface StripeList {
  readonly path: string
  readonly params: readonly (readonly [name: string, value: string])[]
  readonly mostPages: number
}

/** The objects of a list, newest first; `isWhole` says whether there were no more pages than that. */
export async function listAll(
  call: CallStripe,
  { path, params, mostPages }: StripeList,
): Promise<{ readonly items: readonly unknown[]; readonly isWhole: boolean }> {
  const items: unknown[] = []
  for (let page = 1; page <= mostPages; page++) {
    const after = textOf(items.at(-1), 'id')
    const paged = new Map([...params, ['limit', String(PER_PAGE)]])
    if (after !== '') paged.set('starting_after', after)
    const { error, json } = await call({ method: 'GET', path, params: [...paged] })
    if (error !== undefined) throw new Fault('unavailable', `Stripe does not list ${path}: ${error}`)
    const { data } = json
    const found: readonly unknown[] = Array.isArray(data) ? data : []
    items.push(...found)
    if (json['has_more'] !== true || found.length === 0) return { items, isWhole: true }
  }
  return { items, isWhole: false }
}
