// The one place that builds addresses of pages. A filter of the inbox is its address: reload, back and a link show the same.

/** The inbox's filter as it stands in the address. */
export interface InboxSearch {
  readonly state?: 'open' | 'acknowledged' | 'all'
  /** Levels, separated by commas. */
  readonly level?: string
  readonly flock?: string
  readonly bird?: string
  readonly token?: string
  /** An address or a range; with `!` before it, all others. */
  readonly source?: string
  readonly type?: string
  readonly q?: string
  /** UTC, like `2026-11-20-09:39:02`. */
  readonly from?: string
  readonly to?: string
  /** Hash id of the incident in the peek. */
  readonly peek?: string
}

const TIME = /^\d{4}-\d{2}-\d{2}-\d{2}:\d{2}:\d{2}$/
const NAME = /^[\w:.-]{1,64}$/
const RULES: Readonly<Record<keyof InboxSearch, RegExp>> = {
  state: /^(open|acknowledged|all)$/,
  level: /^(used|tried|looked|house)(,(used|tried|looked|house)){0,3}$/,
  flock: NAME,
  bird: NAME,
  token: NAME,
  source: /^!?[\da-f.:]{2,45}(\/\d{1,3})?$/i,
  type: /^\d{1,16}$/,
  q: /^[^]{1,255}$/,
  from: TIME,
  to: TIME,
  peek: NAME,
}
const KEYS = Object.keys(RULES) as (keyof InboxSearch)[]

const isRight = (key: keyof InboxSearch, value: unknown): value is string =>
  typeof value === 'string' &&
  RULES[key].test(value) &&
  (RULES[key] !== TIME || !Number.isNaN(Date.parse(`${value.slice(0, 10)}T${value.slice(11)}Z`)))

/** The filter of the list of tokens. */
export interface TokenSearch {
  readonly q?: string
  readonly kind?: string
  readonly flock?: string
  readonly enabled?: 'yes' | 'no'
  readonly touched?: 'yes' | 'no'
}

const TOKEN_RULES: Readonly<Record<keyof TokenSearch, RegExp>> = {
  q: /^[^]{1,255}$/,
  kind: NAME,
  flock: NAME,
  enabled: /^(yes|no)$/,
  touched: /^(yes|no)$/,
}

/** What is unknown or wrong is dropped. */
export const readTokenSearch = (given: Given): TokenSearch => readBy(TOKEN_RULES, given)

const readBy = (rules: Readonly<Record<string, RegExp>>, given: Given): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([key, rule]) => {
      const value = valuesOf(given, key).at(-1)
      return typeof value === 'string' && rule.test(value) ? [[key, value] as const] : []
    }),
  )

/** What the page of ignore lists shows: a list, and what is probed. */
export interface IgnoreSearch {
  readonly list?: 'ip' | 'hostname' | 'src_port' | 'annotation' | undefined
  readonly flock?: string | undefined
  readonly address?: string | undefined
  readonly port?: string | undefined
  readonly name?: string | undefined
}

const IGNORE_RULES: Readonly<Record<keyof IgnoreSearch, RegExp>> = {
  list: /^(ip|hostname|src_port|annotation)$/,
  flock: NAME,
  address: /^[^]{1,64}$/,
  port: /^\d{1,5}$/,
  name: /^[^]{1,255}$/,
}

export const readIgnoreSearch = (given: Given): IgnoreSearch => readBy(IGNORE_RULES, given)

/** What the pages of receivers show. */
export interface ReceiversSearch {
  /** The Flock whose switches are shown. */
  readonly flock?: string | undefined
  /** What became of an authorisation. */
  readonly chat?: 'added' | 'refused' | undefined
}
export interface NewReceiverSearch {
  readonly kind?: string | undefined
  /** A Flock, or `console` for every Flock. */
  readonly flock?: string | undefined
}

/** The filter of the log of deliveries, and the one that is opened. */
export interface DeliveriesSearch {
  readonly state?: 'waiting' | 'delivered' | 'failed' | 'dropped' | 'folded' | undefined
  readonly flock?: string | undefined
  readonly receiver?: string | undefined
  readonly days?: Days | undefined
  readonly open?: string | undefined
}

export const readReceiversSearch = (given: Given): ReceiversSearch =>
  readBy({ flock: NAME, chat: /^(added|refused)$/ }, given)
export const readNewReceiverSearch = (given: Given): NewReceiverSearch =>
  readBy({ kind: NAME, flock: NAME }, given)
export const readDeliveriesSearch = (given: Given): DeliveriesSearch =>
  readBy(
    {
      state: /^(waiting|delivered|failed|dropped|folded)$/,
      flock: NAME,
      receiver: NAME,
      days: /^(1|7|30)$/,
      open: /^\d{1,15}$/,
    },
    given,
  )

/** How far back a page looks. */
export const DAYS = ['1', '7', '30'] as const
export type Days = (typeof DAYS)[number]

export interface DaysSearch {
  readonly q?: string | undefined
  readonly days?: Days | undefined
}

/** What is unknown or wrong is dropped. */
export function readDaysSearch({ q, days }: Given): DaysSearch {
  const known = DAYS.find((it) => it === days)
  return { ...(isRight('q', q) && { q }), ...(known && { days: known }) }
}

/** The last days, or a time of its own, which makes a report. */
export interface OverviewSearch extends DaysSearch {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export const readOverviewSearch = (given: Given): OverviewSearch => ({
  ...readDaysSearch(given),
  ...(isRight('from', given['from']) &&
    isRight('to', given['to']) && { from: given['from'], to: given['to'] }),
})

/** Epoch seconds as they stand in an address. */
export const timeOf = (atS: number): string =>
  new Date(atS * 1_000).toISOString().slice(0, 19).replace('T', '-')

type Given = Readonly<Record<string, unknown>>

const valuesOf = (given: Given, key: string): unknown[] => [given[key]].flat().filter((it) => it !== '')

/** Unknown parameters and wrong ones are dropped, and all but the last of a doubled one; `ignoredOf` says which. */
export const readInboxSearch = (given: Given): InboxSearch =>
  Object.fromEntries(
    KEYS.flatMap((key) => {
      const value = valuesOf(given, key).at(-1)
      return isRight(key, value) ? [[key, value] as const] : []
    }),
  ) as InboxSearch

/** Parameters that the inbox knows, and whose values it left out. */
export const ignoredOf = (given: Given): (readonly [keyof InboxSearch, string])[] =>
  KEYS.flatMap((key) =>
    valuesOf(given, key)
      .filter((value, at, all) => value !== undefined && (at < all.length - 1 || !isRight(key, value)))
      .map((value) => [key, String(value)] as const),
  )

/** Search parameters as plain text: `q=10` is the text 10, and no JSON. A doubled one is a list. */
export function parseSearch(search: string): Record<string, string | string[]> {
  const given = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(given.keys())].map((key) => {
      const [first = '', ...others] = given.getAll(key)
      return [key, others.length === 0 ? first : [first, ...others]]
    }),
  )
}

export function printSearch(search: Given): string {
  const given = new URLSearchParams()
  for (const [key, values] of Object.entries(search))
    for (const value of [values].flat())
      if (typeof value === 'string' && value !== '') given.append(key, value)
  return given.size > 0 ? `?${given.toString()}` : ''
}

/** A path of this console to come back to after signing in; anything else is the inbox. */
export const safePath = (to: string | undefined): string =>
  to !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to) ? to : '/'

export const links = {
  inbox: '/',
  incident: (hash: string) => `/incidents/${encodeURIComponent(hash)}`,
  birds: '/birds',
  flocks: '/flocks',
  tokens: '/tokens',
  overview: '/overview',
  audit: '/audit',
  keys: '/keys',
  settings: '/settings',
  newToken: '/tokens/new',
  importTokens: '/tokens/import',
  factories: '/tokens/factories',
  people: '/people',
  receivers: '/alerts/receivers',
  newReceiver: '/alerts/receivers/new',
  deliveries: '/alerts/deliveries',
  ignore: '/ignore',
  signIn: '/sign-in',
  profile: '/me/profile',
  security: '/me/security',
  /** A link that the console made, asked of the console that this page came from; anything else leads nowhere. */
  download: (url: string) => {
    const { pathname = '', search = '' } = URL.parse(url) ?? {}
    return pathname.startsWith('/download/') ? `${pathname}${search}` : '#'
  },
  /** The console's own address by HTTPS; anything else leads nowhere. */
  https: (url: string) => (URL.parse(url)?.protocol === 'https:' ? url : '#'),
} as const
