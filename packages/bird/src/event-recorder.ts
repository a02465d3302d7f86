// Writes events into the spool: touches of the decoys, and the Bird's own, which have no source.
import type { ListenFailure } from '@rookery/decoys/host/host.ts'
import { withoutSessionCookies } from '@rookery/kernel/session-cookie.ts'
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Random } from '@rookery/kernel/world.ts'
import {
  DECOYS_NOT_STANDING,
  NETWORK_ROLLBACK,
  PART_OF,
  SPOOL_OVERFLOW,
} from '@rookery/link/bird-logtypes.ts'
import { rollbackFields } from './active-settings/rollback-event.ts'
import type { RefusedSettings } from './active-settings/refused-settings.ts'
import type { Rollback } from './active-settings/step.ts'
import type { Boot } from './boot.ts'
import { openEventSpool } from './event-spool.ts'
import type { NewEvent } from './new-event.ts'
import type { BirdClock } from './world.ts'

/** A wrong value stands in its reason. */
const MAX_REASON = 500

export interface EventRecorderDeps {
  readonly directory: string
  readonly clock: BirdClock
  readonly random: Random
  readonly boot: Boot
  /** The Bird's own address. */
  readonly localAddress: () => string
  readonly report: (message: string) => void
  /** The spool has events that can be sent. */
  readonly onSpooled: () => void
}

/** Opens the spool of the data directory. */
export function eventRecorder(deps: EventRecorderDeps) {
  const { directory, clock, random, boot, report, onSpooled } = deps
  const spool = openEventSpool(directory, {
    clock,
    random,
    report,
    onOverflow: (DROPPED, CAP_BYTES) => ownEvent(SPOOL_OVERFLOW, { DROPPED, CAP_BYTES }),
    onWritten: onSpooled,
  })

  function ownEvent({ logtype }: { readonly logtype: keyof typeof PART_OF }, fields: EventFields): NewEvent {
    const { wallMs: at, monotonicMs: mono, bootId } = boot.clocks()
    const addresses = { srcHost: '', srcPort: -1, dstHost: deps.localAddress(), dstPort: -1 }
    return { at, mono, boot: bootId, logtype, instance: PART_OF[logtype], ...addresses, fields }
  }

  function record(events: readonly NewEvent[]): void {
    spool.appendAll(events)
    onSpooled()
  }

  return {
    spool,
    /** In one write. */
    recordTouches(touches: readonly Omit<NewEvent, 'mono' | 'boot'>[]) {
      const { monotonicMs: mono, bootId } = boot.clocks()
      record(
        touches.map(({ at, logtype, instance, srcHost, srcPort, dstHost, dstPort, fields }) => ({
          at,
          mono,
          boot: bootId,
          logtype,
          instance,
          srcHost,
          srcPort,
          dstHost,
          dstPort,
          fields: withoutSessionCookies(fields),
        })),
      )
    },
    recordRollback: (rollback: Rollback) =>
      record([ownEvent(NETWORK_ROLLBACK, rollbackFields(rollback, clock.now()))]),
    recordNotStanding: (failures: readonly ListenFailure[]) =>
      record([ownEvent(DECOYS_NOT_STANDING, { REASON: reasons(failures) })]),
    recordUnstopped: (reason: string) =>
      record([
        ownEvent(DECOYS_NOT_STANDING, {
          REASON: { process: `${reason.slice(0, MAX_REASON)}. It was started again.` },
        }),
      ]),
    recordRefused: ({ tag, reason }: RefusedSettings) =>
      record([
        ownEvent(DECOYS_NOT_STANDING, {
          REASON: { settings: `${tag} cannot be used: ${reason.slice(0, MAX_REASON)}` },
        }),
      ]),
  }
}

export type EventRecorder = ReturnType<typeof eventRecorder>

/** By service; of a service with several ports, the reason of each. */
function reasons(failures: readonly ListenFailure[]): EventFields {
  const byService: Record<string, string> = {}
  for (const { instance, reason } of failures) {
    const other = byService[instance]
    byService[instance] = other === undefined ? reason : `${other}; ${reason}`
  }
  return byService
}
