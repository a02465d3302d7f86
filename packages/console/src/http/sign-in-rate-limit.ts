// Limits the guessing of passwords: an account is slowed for one network, never locked, so its owner still gets in elsewhere.
import { Fault } from '@rookery/kernel/fault.ts'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../addresses/source-network.ts'
import { emailKey } from '../stores/users/store.ts'

/**
 * What is tried: a password, a code of the app after it, or what nobody guesses: a recovery code after it, and the signature
 * of a passkey.
 */
export type Guessed = 'password' | 'code' | 'recovery' | 'signature'

export interface SignInRateLimit {
  /**
   * Runs a try; undefined is a failure. Throws `too-many` once there are as many failures as there may be, those counted
   * that are being looked at: tries that are sent all at once gain nothing. `isKnown`: the account was opened from this network
   * before, so strangers, however many, must not keep its owner waiting.
   */
  attempt<T>(
    what: Guessed,
    who: { readonly email: string; readonly address: string },
    look: (isKnown: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined>
}

const WINDOW_MS = 600_000
/** Accounts and networks whose failures are counted. */
const COUNTED = limit('sign_in_failures', 50_000)
/**
 * The same of signatures, apart: a wrong password takes the console a while, a wrong signature nothing, so they could fill the
 * table from many networks, and what comes beyond a full table is held back together.
 */
const COUNTED_SIGNATURES = limit('sign_in_failures_of_signatures', 50_000)
/** Accounts, each with a network from which it was opened. */
const KNOWN = limit('sign_in_known_networks', 10_000)
/** Failures of one account from one network in ten minutes. */
const OF_ACCOUNT = limit('sign_in_failures_of_account', 10)
/** Failures of one network in ten minutes, whatever the account. */
const OF_NETWORK = limit('sign_in_failures_of_network', 100)

/**
 * Wrong codes of one account in ten minutes, from everywhere: only who knows its password gets so far, and of a million codes
 * three count. The owner still gets in with a passkey or a recovery code: neither is counted here, nor held back.
 */
const CODES_OF_ACCOUNT = limit('sign_in_failures_of_codes', 30)

export function openSignInRateLimit(clock: Pick<Clock, 'now'>): SignInRateLimit {
  const guesses = windowCounter<string>(COUNTED, WINDOW_MS)
  const signatures = windowCounter<string>(COUNTED_SIGNATURES, WINDOW_MS)
  const known = boundedMap<string, true>(KNOWN)
  /** Tries whose password is being looked at; passwords.ts bounds how many they are. */
  const begun = new Map<string, number>()
  const count = (key: string, by: 1 | -1): void => {
    const now = (begun.get(key) ?? 0) + by
    if (now > 0) begun.set(key, now)
    else begun.delete(key)
  }
  /** Answers what ends the try. */
  function begin(
    what: Guessed,
    bounds: readonly (readonly [string, Limit])[],
    address: string,
  ): (hasFailed: boolean) => void {
    const failures = what === 'signature' ? signatures : guesses
    const now = clock.now()
    for (const [key, most] of bounds) {
      if (failures.peek(key, now) + (begun.get(key) ?? 0) < most.max) continue
      most.hit()
      const retryAfterS = Math.max(1, Math.ceil((failures.endsAt(key, now) - now) / 1000))
      throw new Fault(
        'too-many',
        `Too many failed sign-ins from ${address}. Try again in ${retryAfterS} s, or from another network.`,
        { retryAfterS },
      )
    }
    for (const [key] of bounds) count(key, 1)
    return (hasFailed) => {
      for (const [key] of bounds) {
        count(key, -1)
        if (hasFailed) failures.count(key, clock.now())
      }
    }
  }

  return {
    async attempt(what, { email, address }, look) {
      const network = sourceNetwork(address)
      const ofAccount = `${network} ${emailKey(email)}`
      const end = begin(
        what,
        [
          [ofAccount, OF_ACCOUNT],
          [network, OF_NETWORK],
          ...(what === 'code' ? [[`codes of ${emailKey(email)}`, CODES_OF_ACCOUNT] as const] : []),
        ],
        address,
      )
      let hasFailed = false
      try {
        const found = await look(known.get(ofAccount) ?? false)
        hasFailed = found === undefined
        if (!hasFailed) known.set(ofAccount, true)
        return found
      } finally {
        end(hasFailed)
      }
    },
  }
}
