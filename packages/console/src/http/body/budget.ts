// The memory of all request bodies together. What strangers send counts against a part of it, so that they cannot fill it.
import { Fault } from '@rookery/kernel/fault.ts'
import { type Limit } from '@rookery/kernel/limit.ts'
import { ALL_BODY_BYTES, UNKNOWN_BODY_BYTES } from '../request-limits.ts'

export interface BodyBudget {
  /** For one body. */
  open(): BodyShare
  /** Bytes that are in memory now. */
  used(): number
}

export interface BodyShare {
  /** Counts bytes that were read; throws `unavailable` when there is no room for them. */
  take(bytes: number): void
  /** The key of the caller is valid: the bytes no longer count as a stranger's. */
  known(): void
  /** Gives everything back; may be called twice. */
  release(): void
}

const RETRY_AFTER_S = 2

export function openBodyBudget(
  total: Limit = ALL_BODY_BYTES,
  unknown: Limit = UNKNOWN_BODY_BYTES,
): BodyBudget {
  const used = { total: 0, unknown: 0 }

  function refuse(bound: Limit): never {
    bound.hit()
    throw new Fault(
      'unavailable',
      `The bodies of all requests take ${bound.max} bytes, which is the most. Try again in ${RETRY_AFTER_S} s.`,
      { retryAfterS: RETRY_AFTER_S },
    )
  }

  return {
    used: () => used.total,
    open() {
      const own = { total: 0, unknown: 0 }
      let isKnown = false
      return {
        take(bytes) {
          if (used.total + bytes > total.max) refuse(total)
          if (!isKnown && used.unknown + bytes > unknown.max) refuse(unknown)
          used.total += bytes
          own.total += bytes
          if (isKnown) return
          used.unknown += bytes
          own.unknown += bytes
        },
        known() {
          isKnown = true
          used.unknown -= own.unknown
          own.unknown = 0
        },
        release() {
          used.total -= own.total
          used.unknown -= own.unknown
          own.total = own.unknown = 0
        },
      }
    },
  }
}
