// How many Birds the automatic update may begin with now: one, ten healthy minutes later a tenth of all, then the others.
import type { UpdateOutcome } from '../../stores/transfers/updates.store.ts'

export const HEALTHY_MS = 600_000
/** A Bird that goes offline later has reasons of its own. */
const WATCHED_MS = 2 * HEALTHY_MS

export type Decision =
  | { readonly kind: 'stop'; readonly failed: UpdateOutcome }
  | { readonly kind: 'start'; readonly most: number }
  /** Nothing is to be done before. */
  | { readonly kind: 'wait'; readonly until?: number }

export interface Run {
  /** Birds that the release fits and that do not have it, one at least. */
  readonly candidates: number
  /** What became of Birds that were given it. */
  readonly outcomes: readonly UpdateOutcome[]
  /** What failed before does not count. */
  readonly since: number
}

export function decide({ candidates, outcomes, since }: Run, now: number): Decision {
  const failed = outcomes.find(({ state, ended_at }) => state === 'failed' && (ended_at ?? 0) >= since)
  if (failed) return { kind: 'stop', failed }
  if (outcomes.some(({ ended_at }) => ended_at === null)) return { kind: 'wait' }
  const applied = outcomes.filter(({ state }) => state === 'applied')
  if (applied.length === 0) return { kind: 'start', most: 1 }
  const healthyAt = Math.max(...applied.map(({ ended_at }) => ended_at ?? 0)) + HEALTHY_MS
  if (now < healthyAt) return { kind: 'wait', until: healthyAt }
  const lost = applied.find(
    ({ live, ended_at }) => live === 0 && (ended_at ?? 0) >= Math.max(since, now - WATCHED_MS),
  )
  if (lost) return { kind: 'stop', failed: { ...lost, reason: 'it took the release, and is offline now' } }
  if (applied.length > 1) return { kind: 'start', most: candidates }
  return { kind: 'start', most: Math.ceil((candidates + applied.length) / 10) }
}
