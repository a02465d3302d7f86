// Credits ([MS-SMB2] 3.3.1.1): which message ids a client may use, and how many it is granted.
import { DIALECT, type Dialect } from './codec/dialect.ts'

export interface CreditWindow {
  /** The oldest id that was not used. */
  readonly low: bigint
  /** Behind the newest id that was granted. */
  readonly high: bigint
  /** Ids between them that were used. */
  readonly used: ReadonlySet<bigint>
}

/** Credits that a client may hold; Windows begins with as many. */
const MAX_CREDITS = 512
/** From the oldest unused id to the newest one. */
const MAX_SPAN = 2 * MAX_CREDITS

/** How many ids a message takes ([MS-SMB2] 3.3.5.2.3). */
export const chargeOf = (negotiated: { readonly dialect: Dialect } | undefined, asked: number): number =>
  negotiated && negotiated.dialect !== DIALECT.v202 ? Math.max(1, asked) : 1

export const firstWindow = (low = 0n): CreditWindow => ({ low, high: low + 1n, used: new Set() })

/** The window after a message that takes `charge` ids; undefined when one of them is not granted or was used. */
export function consume(
  window: CreditWindow,
  id: bigint,
  charge: number,
  most = MAX_CREDITS,
): CreditWindow | undefined {
  const last = id + BigInt(charge)
  if (charge > most || id < window.low || last > window.high) return undefined
  const used = new Set(window.used)
  for (let each = id; each < last; each += 1n) {
    if (used.has(each)) return undefined
    used.add(each)
  }
  let { low } = window
  while (used.delete(low)) low += 1n
  return { ...window, low, used }
}

export interface Grant {
  readonly window: CreditWindow
  readonly credits: number
}

/** Grants what is asked for, but no more than fits; never so little that the client is left without any. */
export function grant(window: CreditWindow, asked: number): Grant {
  const held = Number(window.high - window.low) - window.used.size
  const room = Math.min(MAX_CREDITS - held, MAX_SPAN - Number(window.high - window.low))
  const credits = Math.max(Math.min(Math.max(asked, 1), room), held === 0 ? 1 : 0)
  return { window: { ...window, high: window.high + BigInt(credits) }, credits }
}
