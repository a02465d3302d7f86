// Authentication: the key (401), its addresses, the API switch (403), its calls a second (429); mount.ts checks role and Flock.
import { hash } from 'node:crypto'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../app-context.ts'
import { parseRanges } from '../addresses/ranges.ts'
import { findKeyByHash, markKeyUsed, type KeyRow } from '../stores/keys/store.ts'
import { readSettings } from '../stores/settings/store.ts'
import type { KeyName } from './body/read.ts'
import type { Caller } from './call.ts'
import { openCallRateLimit, type CallRate } from './call-rate-limit.ts'
import { openAuthRateLimit } from './auth-rate-limit.ts'

export interface AuthenticateOptions extends CallRate {
  /** Called once for the minute of a source that tries many unknown keys. */
  readonly onGuessing: (address: string, count: number) => void
}

/** `name` is the parameter that the key should have come in. */
export type Authenticate = (key: string | undefined, address: string, name?: KeyName) => Promise<Caller>

const WANTED: Readonly<Record<KeyName, string>> = {
  auth_token: 'an API key, as auth_token or in the header X-Auth-Token or Authorization: Bearer',
  factory_auth: 'the key of a factory, as factory_auth',
}

const KEY = /^[0-9a-f]{32}$/
const USED_EVERY_MS = 60_000
/** Keys whose last use is cached; it is stored once a minute. */
const KEYS_IN_USE = limit('key_use_cache', 10_000)
/** Keys whose hashes are cached. */
const DIGESTS = limit('key_digest_cache', 1_000)

export function openAuthenticate(
  base: Pick<AppContext, 'config' | 'vault' | 'writer' | 'world' | 'log'>,
  options: AuthenticateOptions,
): Authenticate {
  const { config, vault, writer, world, log } = base
  const rateLimit = openAuthRateLimit(world.clock, options.onGuessing)
  const countCall = openCallRateLimit(world.clock, options)
  const usedAt = boundedMap<string, number>(KEYS_IN_USE)
  const digests = boundedMap<string, string>(DIGESTS)

  /** The keyed hash costs several times SHA-256: those of valid keys are cached by their SHA-256. */
  async function find(key: string): Promise<KeyRow | undefined> {
    const unkeyed = hash('sha256', key)
    const cached = digests.get(unkeyed)
    const digest = cached ?? vault.digest('key', key)
    const row = await config.get(`key ${digest}`, (db) => findKeyByHash(db, digest))
    if (row && cached === undefined) digests.set(unkeyed, digest)
    return row
  }

  function markUsed(keyId: string, now: number): void {
    if (now - (usedAt.get(keyId) ?? 0) < USED_EVERY_MS) return
    usedAt.set(keyId, now)
    writer
      .write((tx) => markKeyUsed(tx.query, keyId, now))
      .catch((error: unknown) => log.debug({ err: error, keyId }, 'could not store when a key was used'))
  }

  return async (key, address, name = 'auth_token') => {
    const refused = (reason: string): Fault =>
      new Fault('unauthenticated', 'Invalid auth_token', { details: { [name]: reason } })
    if (key === undefined) throw refused(`is missing: send ${WANTED[name]}`)
    const row = KEY.test(key) ? await find(key) : undefined
    const now = world.clock.now()
    if (!row || (row.expires_at !== null && row.expires_at <= now)) {
      rateLimit.count(address)
      throw refused('is no key of this console: it is mistyped, was removed, or has expired')
    }
    if (
      row.allowed_ip_ranges !== '' &&
      !parseRanges(row.allowed_ip_ranges, 'allowed_ip_ranges').has(address)
    ) {
      throw new Fault('forbidden', `Key ${row.key_id} may not be used from ${address}.`)
    }
    const settings = await config.get('settings', readSettings)
    if (settings.api_enabled === 'false') {
      throw new Fault(
        'forbidden',
        'The API is switched off. Switch it on with `rookery api-switch on` on the console itself.',
      )
    }
    countCall(row.key_id)
    markUsed(row.key_id, now)
    return {
      keyId: row.key_id,
      person: undefined,
      type: row.type,
      scope: row.flock_id === '' ? 'all' : [row.flock_id],
    }
  }
}
