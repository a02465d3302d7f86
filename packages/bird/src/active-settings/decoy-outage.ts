// The decoys of the settings in force that do not listen: since when, when to try again, whether it was reported.
import type { ListenFailure } from '@rookery/decoys/host/host.ts'

export const RETRY_MS = 10_000
/** A decoy that does not listen for so long is an event. */
const REPORT_AFTER_MS = 60_000

export interface DecoyOutage {
  /** At least one. */
  readonly failures: readonly ListenFailure[]
  readonly since: number
  readonly retryAt: number
  /** The event was raised. */
  readonly isReported: boolean
}

/** After an attempt that ended at `nowMs` with these failures; undefined when every decoy listens. */
export function afterAttempt(
  failures: readonly ListenFailure[],
  before: DecoyOutage | undefined,
  nowMs: number,
): DecoyOutage | undefined {
  if (failures.length === 0) return undefined
  const retryAt = nowMs + RETRY_MS
  const known = new Set(before?.failures.map(({ instance }) => instance))
  // A decoy that did not fail before begins its 60 s now.
  return before && failures.every(({ instance }) => known.has(instance))
    ? { ...before, failures, retryAt }
    : { failures, since: nowMs, retryAt, isReported: false }
}

export const isReportDue = ({ since, isReported }: DecoyOutage, nowMs: number): boolean =>
  !isReported && nowMs >= since + REPORT_AFTER_MS

export const wakeOf = ({ since, retryAt, isReported }: DecoyOutage): number =>
  isReported ? retryAt : Math.min(retryAt, since + REPORT_AFTER_MS)

/** `ssh: port 22 is in use; ftp: port 21 is in use` */
export const failuresText = (failures: readonly ListenFailure[]): string =>
  failures.map(({ instance, reason }) => `${instance}: ${reason}`).join('; ')
