// An API key as the wire shows it (2.9).
import { std } from '@rookery/kernel/time.ts'
import type { KeyRow } from '../../stores/keys/store.ts'

const MASKED = '*'.repeat(32)

/** `key` is undefined where the console shows keys only once: then it is masked. */
export const apiKey = (row: KeyRow, key: string | undefined) => ({
  auth_token: key ?? MASKED,
  auth_token_type: row.type.charAt(0).toUpperCase() + row.type.slice(1),
  created: std(row.created_at),
  created_by: row.created_by,
  key_id: row.key_id,
  note: row.note,
  allowed_ip_ranges: row.allowed_ip_ranges,
  expires: row.expires_at === null ? '' : std(row.expires_at),
  last_used: row.last_used_at === null ? '' : std(row.last_used_at),
  ...(row.flock_id !== '' && { flock_id: row.flock_id }),
})

/** The configuration file of a client. */
export const configFile = (key: string, baseUrl: string): string =>
  ['[Rookery]', `api_key = ${key}`, `domain = ${new URL(baseUrl).host}`, `base_url = ${baseUrl}`, ''].join(
    '\n',
  )
