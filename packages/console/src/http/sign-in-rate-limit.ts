// Limits the guessing of passwords: an account is slowed for one network, never locked, so its owner still gets in elsewhere.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../net/source-network.ts'

export interface SignInRateLimit {
  /** Throws `too-many` once there were as many failures as there may be; called before the password is looked at. */
  check(email: string, address: string): void
  failed(email: string, address: string): void
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
  const keysOf = (email: string, address: string) => {
    const network = sourceNetwork(address)
    return [
      [`${network} ${email.trim().toLowerCase().slice(0, 254)}`, OF_ACCOUNT],
      [network, OF_NETWORK],
    ] as const
  }
  return {
    check(email, address) {
      const now = clock.now()
      for (const [key, most] of keysOf(email, address)) {
        if (failures.peek(key, now) < most.max) continue
        most.hit()
        const retryAfterS = Math.ceil((failures.endsAt(key, now) - now) / 1000)
        throw new Fault(
          'too-many',
          `Too many failed sign-ins from ${address}. Try again in ${retryAfterS} s, or from another network.`,
          { retryAfterS },
        )
      }
    },
    failed(email, address) {
      for (const [key] of keysOf(email, address)) failures.count(key, clock.now())
    },
  }
}
