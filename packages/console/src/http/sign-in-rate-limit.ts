// Limits the guessing of passwords: an account is slowed for one network, never locked, so its owner still gets in elsewhere.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../net/source-network.ts'
import { emailKey } from '../stores/users/store.ts'

export interface SignInRateLimit {
  /**
   * Called before the password is looked at. Throws `too-many` once there are as many failures as there may be, those counted
   * that are being looked at: tries that are sent all at once gain nothing. Answers what ends the try.
   */
  begin(email: string, address: string): (hasFailed: boolean) => void
}

const WINDOW_MS = 600_000
/** Accounts and networks whose failures are counted. */
const COUNTED = limit('sign_in_failures', 50_000)
/** Failures of one account from one network in ten minutes. */
const OF_ACCOUNT = limit('sign_in_failures_of_account', 10)
/** Failures of one network in ten minutes, whatever the account. */
const OF_NETWORK = limit('sign_in_failures_of_network', 100)

export function openSignInRateLimit(clock: Pick<Clock, 'now'>): SignInRateLimit {
  const failures = windowCounter<string>(COUNTED, WINDOW_MS)
  /** Tries whose password is being looked at; passwords.ts bounds how many they are. */
  const begun = new Map<string, number>()
  const count = (key: string, by: 1 | -1): void => {
    const now = (begun.get(key) ?? 0) + by
    if (now > 0) begun.set(key, now)
    else begun.delete(key)
  }
  return {
    begin(email, address) {
      const network = sourceNetwork(address)
      const account = `${network} ${emailKey(email)}`
      const now = clock.now()
      for (const [key, most] of [
        [account, OF_ACCOUNT],
        [network, OF_NETWORK],
      ] as const) {
        if (failures.peek(key, now) + (begun.get(key) ?? 0) < most.max) continue
        most.hit()
        const retryAfterS = Math.max(1, Math.ceil((failures.endsAt(key, now) - now) / 1000))
        throw new Fault(
          'too-many',
          `Too many failed sign-ins from ${address}. Try again in ${retryAfterS} s, or from another network.`,
          { retryAfterS },
        )
      }
      const keys = [account, network]
      for (const key of keys) count(key, 1)
      return (hasFailed) => {
        for (const key of keys) {
          count(key, -1)
          if (hasFailed) failures.count(key, clock.now())
        }
      }
    },
  }
}
