// A key may say HELLO a few times in 15 s: each costs a transaction, and supersedes the link before.
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { HELLO_WINDOW_MS } from './handshake-rate.ts'

/** Counts a HELLO of this proved key, hex; false when it says too many. */
export type AdmitsHello = (publicKey: string) => boolean

/** An option sets it. */
const HELLOS = limit('link_hellos_per_15_s', 3)
/** Keys whose HELLOs are counted. */
const KEYS = limit('link_hello_keys', 50_000)

export function openHelloRate(clock: Pick<Clock, 'now'>, most = HELLOS.max): AdmitsHello {
  const { max, hit } = withMax(HELLOS, most)
  const hellos = windowCounter<string>(KEYS, HELLO_WINDOW_MS)
  return (publicKey) => {
    if (hellos.count(publicKey, clock.now()) <= max) return true
    hit()
    return false
  }
}
