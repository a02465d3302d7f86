// What SQL Server puts in front of the token's host name: `<base32 of action and user>.<2 digits>`.
import { printableText } from '@rookery/kernel/sanitize.ts'
import { base32Text } from '../../channels/dns/base32.ts'

/** The first character of the data. */
export const ACTIONS = {
  s: 'SELECT',
  e: 'EXECUTE',
  i: 'INSERT',
  u: 'UPDATE',
  d: 'DELETE',
  /** A statement that changed no row. */
  n: 'NONE',
} as const

/** In front of the host name that PostgreSQL connects to. */
export const POSTGRES_LABEL = 'db'

const isAction = (text: string): text is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, text)

/** The event keys of a look-up; none of that by PostgreSQL. */
interface LookedUp {
  readonly sql_user?: string
  readonly sql_action?: (typeof ACTIONS)[keyof typeof ACTIONS]
}

/**
 * What a look-up says; undefined for a part of a name, which resolvers with QNAME minimisation (RFC 9156) ask for first.
 */
export function lookedUp(labels: readonly string[]): LookedUp | undefined {
  const [data = '', digits, ...more] = labels
  if (labels.length === 1) return data === POSTGRES_LABEL ? {} : undefined
  if (digits === undefined || !/^\d\d$/.test(digits) || more.length > 0) return undefined
  const text = base32Text(data) ?? ''
  const action = text.slice(0, 1)
  const user = printableText(text.slice(1))
  return isAction(action) && user !== '' ? { sql_user: user, sql_action: ACTIONS[action] } : undefined
}
