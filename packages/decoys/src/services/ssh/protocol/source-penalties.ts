// PerSourcePenalties of sshd (sshd_config(5), since OpenSSH 9.8): a source whose connections fail is refused for a while.
import { limit } from '@rookery/kernel/limit.ts'
import { steadyTime } from '@rookery/kernel/steady-time.ts'
import type { Crowd } from '../../../session/crowd.ts'

/** Sources whose failures are counted, as sshd counts them. */
export const SOURCES = limit('ssh_penalised_sources', 4_096)
const TEXT = 'Not allowed at this time\r\n'

/**
 * Its defaults: what a connection costs, from which sum on a source is refused, and how long at most. An exceeded
 * LoginGraceTime is documented with 10 s, but costs as much as a crash (srclimit.c, 9.8 to 10.0).
 */
const COST_MS = { failed: 5_000, 'no-attempt': 1_000, 'grace-exceeded': 90_000 }
const MIN_MS = 15_000
const MAX_MS = 600_000

export function sourcePenalties(sources = SOURCES) {
  /** A penalty is active from `MIN_MS` on, and stays so until its end. */
  const penalties = new Map<string, { readonly endsAt: number; readonly isActive: boolean }>()
  const steady = steadyTime()
  return {
    /** A connection of the source is over: its logins failed, it tried none, or its time was up. */
    add(source: string, outcome: keyof typeof COST_MS, wallMs: number) {
      const now = steady(wallMs)
      const known = penalties.get(source)
      const from = known && known.endsAt >= now ? known : { endsAt: now, isActive: false }
      const endsAt = Math.min(from.endsAt + COST_MS[outcome], now + MAX_MS)
      penalties.delete(source)
      penalties.set(source, { endsAt, isActive: from.isActive || endsAt - now > MIN_MS })
      if (penalties.size <= sources.max) return
      sources.hit()
      for (const [oldest] of penalties) {
        penalties.delete(oldest)
        break
      }
    },
    isRefused(source: string, wallMs: number) {
      const now = steady(wallMs)
      const penalty = penalties.get(source)
      return penalty !== undefined && penalty.isActive && penalty.endsAt >= now
    },
  }
}

export type SourcePenalties = ReturnType<typeof sourcePenalties>

/** The crowd of a server that refuses penalised sources before all others. */
export const withPenalties = (crowd: Crowd, { isRefused }: SourcePenalties): Crowd => ({
  ...crowd,
  refusal: (newcomer) => (isRefused(newcomer.address, newcomer.now) ? TEXT : crowd.refusal(newcomer)),
})
