// The decoys of the settings in force that do not listen: since when, when to try again, whether it was reported.
import type { ListenFailure } from '@rookery/decoys/host/host.ts'

export const RETRY_MS = 10_000
/** A decoy that does not listen for so long is an event. */
const REPORT_AFTER_MS = 60_000

export interface DecoyOutage {
  /** At least one. */
  readonly failures: readonly ListenFailure[]
  /** By instance: one that fails now and then does not begin the 60 s of the others anew. */
  readonly decoys: ReadonlyMap<string, FailingDecoy>
  readonly retryAt: number
}

interface FailingDecoy {
  readonly since: number
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
  const decoys = new Map(
    failures.map(({ instance }) => [
      instance,
      before?.decoys.get(instance) ?? { since: nowMs, isReported: false },
    ]),
  )
  return { failures, decoys, retryAt: nowMs + RETRY_MS }
}

const reportAt = ({ since, isReported }: FailingDecoy): number =>
  isReported ? Infinity : since + REPORT_AFTER_MS

const firstReportAt = ({ decoys }: DecoyOutage): number => Math.min(...[...decoys.values()].map(reportAt))

export const isReportDue = (outage: DecoyOutage, nowMs: number): boolean => nowMs >= firstReportAt(outage)

/** The failures that the event names, those of an earlier one included, and the outage behind it. */
export function reportOf(outage: DecoyOutage, nowMs: number) {
  const lasts = (instance: string): boolean =>
    nowMs >= (outage.decoys.get(instance)?.since ?? Infinity) + REPORT_AFTER_MS
  const decoys = new Map(
    [...outage.decoys].map(([instance, decoy]) => [
      instance,
      lasts(instance) ? { ...decoy, isReported: true } : decoy,
    ]),
  )
  return {
    failures: outage.failures.filter(({ instance }) => lasts(instance)),
    outage: { ...outage, decoys },
  }
}

export const wakeOf = (outage: DecoyOutage): number => Math.min(outage.retryAt, firstReportAt(outage))

/** `ssh: port 22 is in use; ftp: port 21 is in use` */
export const failuresText = (failures: readonly ListenFailure[]): string =>
  failures.map(({ instance, reason }) => `${instance}: ${reason}`).join('; ')
