// The one place that builds addresses of pages. A filter of the inbox is its address: reload, back and a link show the same.

/** The inbox's filter as it stands in the address. Times are epoch seconds or what `incidents/rows` takes. */
export interface InboxSearch {
  readonly state?: 'open' | 'acknowledged' | 'all'
  readonly level?: string
  readonly flock?: string
  readonly bird?: string
  readonly token?: string
  readonly source?: string
  readonly type?: string
  readonly q?: string
  readonly from?: string
  readonly to?: string
  /** Hash id of the incident in the peek. */
  readonly peek?: string
}

const KEYS = ['state', 'level', 'flock', 'bird', 'token', 'source', 'type', 'q', 'from', 'to', 'peek'] as const
const STATES = new Set(['open', 'acknowledged', 'all'])

/** Unknown parameters are dropped. */
export function readInboxSearch(search: Readonly<Record<string, unknown>>): InboxSearch {
  const given = KEYS.flatMap((key) => {
    const value = search[key]
    return typeof value === 'string' && value !== '' && (key !== 'state' || STATES.has(value))
      ? [[key, value] as const]
      : []
  })
  return Object.fromEntries(given) as InboxSearch
}

/** Search parameters as plain text: `q=10` is the text 10, and no JSON. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search))

export function printSearch(search: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams()
  for (const [key, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') given.set(key, value)
  return given.size > 0 ? `?${given.toString()}` : ''
}

/** A path of this console to come back to after signing in; anything else is the inbox. */
export const safePath = (to: string | undefined): string =>
  to !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to) ? to : '/'

export const links = {
  inbox: '/',
  incident: (hash: string) => `/incidents/${encodeURIComponent(hash)}`,
  signIn: '/sign-in',
} as const
