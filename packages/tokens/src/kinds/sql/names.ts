// What the planted objects are called: names that the caller gave, or names that are the same for the same token.
import { createHash } from 'node:crypto'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import type { SettingsOf } from '../../settings.ts'
import type { descriptor } from './descriptor.ts'

export type SqlSettings = SettingsOf<(typeof descriptor)['settings']>

/** A name to choose, and the columns besides its id. */
const SUBJECTS = [
  ['payroll', ['full_name', 'iban', 'salary']],
  ['admin_accounts', ['username', 'password_hash', 'role']],
  ['api_keys', ['owner', 'api_key', 'scope']],
  ['customer_cards', ['holder', 'card_number', 'expiry']],
  ['vpn_users', ['username', 'preshared_key', 'site']],
  ['board_minutes', ['held_on', 'subject', 'text']],
] as const

export interface Names {
  readonly name: string
  readonly columns: readonly string[]
  /** Of the user mapping, which PostgreSQL wants from users who are no superusers. */
  readonly password: string
}

/** The same for the same token. */
export function namesOf(tokenId: string, { sql_name }: Pick<SqlSettings, 'sql_name'>): Names {
  const digest = createHash('sha256').update(tokenId).digest()
  const [name, columns] = SUBJECTS[digest.readUInt8(0) % SUBJECTS.length] ?? SUBJECTS[0]
  return { name: sql_name ?? name, columns, password: digest.subarray(1, 13).toString('base64url') }
}

/** Throws a `bad-input` for a name that a server would read as another one. */
export function checkNames(settings: SqlSettings): void {
  for (const [parameter, name] of Object.entries(settings))
    if (name !== undefined && !/^[A-Za-z_](.*[^ ])?$/.test(name))
      throw invalidParameter(
        parameter,
        `must begin with a letter or _ and not end in a space, not ${JSON.stringify(name)}`,
      )
}
