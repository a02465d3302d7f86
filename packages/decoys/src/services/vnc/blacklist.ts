// Which sources are blocked: TigerVNC's BlacklistThreshold and BlacklistTimeout (Xvnc(1)).
import { limit } from '@rookery/kernel/limit.ts'
import type { Crowd } from '../../crowd.ts'
import { TOO_MANY } from './server.ts'

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
  const marks = new Map<string, Marks>()
  const note = (address: string, marked: Marks): void => {
    marks.delete(address)
    marks.set(address, marked)
    if (marks.size <= SOURCES.max) return
    SOURCES.hit()
    marks.delete(marks.keys().next().value ?? '')
  }
  return {
    full: TOO_MANY,
    refusal({ address, now }) {
      const known = marks.get(address) ?? { count: 1, blockedUntil: 0, timeoutMs: FIRST_TIMEOUT_MS }
      if (known.count < THRESHOLD) {
        note(address, { ...known, count: known.count + 1 })
        return undefined
      }
      if (now < known.blockedUntil) return TOO_MANY
      note(address, { ...known, blockedUntil: now + known.timeoutMs, timeoutMs: known.timeoutMs * 2 })
      return undefined
    },
  }
}
