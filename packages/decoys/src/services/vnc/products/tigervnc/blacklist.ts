// Which sources are blocked: TigerVNC's BlacklistThreshold and BlacklistTimeout (Xvnc(1)).
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { steadyTime } from '@rookery/kernel/steady-time.ts'
import type { Crowd } from '../../../../session/crowd.ts'
import { TOO_MANY } from './profile.ts'

/** Connections without a login after which a source is blocked. */
const THRESHOLD = 5
/** Doubles with each connection that comes behind it. */
const FIRST_TIMEOUT_MS = 10_000

interface Marks {
  readonly count: number
  readonly blockedUntil: number
  readonly timeoutMs: number
}

/** TigerVNC forgets none; here the one that was met longest ago goes first. */
const SOURCES = limit('vnc_decoy_sources', 4_096)

export function blacklist(): Crowd {
  const marks = boundedMap<string, Marks>(SOURCES)
  const steady = steadyTime()
  return {
    full: TOO_MANY,
    refusal({ address, now: wallMs }) {
      const now = steady(wallMs)
      const known = marks.peek(address) ?? { count: 1, blockedUntil: 0, timeoutMs: FIRST_TIMEOUT_MS }
      if (known.count < THRESHOLD) {
        marks.set(address, { ...known, count: known.count + 1 })
        return undefined
      }
      if (now < known.blockedUntil) return TOO_MANY
      marks.set(address, { ...known, blockedUntil: now + known.timeoutMs, timeoutMs: known.timeoutMs * 2 })
      return undefined
    },
  }
}
