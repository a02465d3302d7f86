// Events that Birds cannot have seen are acknowledged and dropped: they are counted, and some are logged.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { RefusalReason } from './check-event.ts'

export interface RefusedEvent {
  readonly nodeId: string
  readonly seq: number
  readonly reason: RefusalReason
  /** The value that is wrong. */
  readonly value: string
}

export interface RefusedEvents {
  report(events: readonly RefusedEvent[]): void
}

export interface RefusedEventsDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly onRefused: (reason: RefusalReason) => void
}

/** Log lines about refused events of one Bird. */
const LINES_PER_MINUTE = limit('refused_event_log_lines_per_minute', 10)
/** Birds whose log lines about refused events are counted. */
const BIRDS = limit('refused_event_log_birds', 20_000)
const MINUTE_MS = 60_000
const VALUE_LENGTH = 80

export function openRefusedEvents({ clock, log, onRefused }: RefusedEventsDeps): RefusedEvents {
  const lines = windowCounter<string>(BIRDS, MINUTE_MS)
  return {
    report(events) {
      for (const { nodeId, seq, reason, value } of events) {
        onRefused(reason)
        if (lines.count(nodeId, clock.now()) > LINES_PER_MINUTE.max) LINES_PER_MINUTE.hit()
        else
          log.warn(
            { nodeId, seq, reason, value: value.slice(0, VALUE_LENGTH) },
            'event of a Bird refused: that Bird cannot have seen it',
          )
      }
    },
  }
}
