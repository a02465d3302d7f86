// Frames of one link: a Bird beats every 30 s and when its settings changed, so more than this is no Bird.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { FrameKind } from '@rookery/link/messages.ts'

export interface FrameRate {
  /** Counts a frame; answers why the link must be closed, undefined while it is within its rate. */
  breach(kind: FrameKind, isPending: boolean): string | undefined
}

/** One a second; counted over ten, for a Bird may send several at once. */
const HEARTBEATS = limit('link_heartbeats_per_10_s', 10)
const HEARTBEATS_MS = 10_000
/** Frames of a Bird that waits to be registered; more close its link. */
const PENDING_FRAMES = limit('link_pending_frames_per_minute', 8)
const MINUTE_MS = 60_000

export function openFrameRate(clock: Pick<Clock, 'now'>): FrameRate {
  const heartbeats = windowCounter<'all'>(HEARTBEATS, HEARTBEATS_MS)
  const pending = windowCounter<'all'>(PENDING_FRAMES, MINUTE_MS)
  return {
    breach(kind, isPending) {
      const now = clock.now()
      if (isPending && pending.count('all', now) > PENDING_FRAMES.max) {
        PENDING_FRAMES.hit()
        return `more than ${PENDING_FRAMES.max} frames a minute of a pending Bird`
      }
      if (kind !== 'HEARTBEAT' || heartbeats.count('all', now) <= HEARTBEATS.max) return undefined
      HEARTBEATS.hit()
      return `more than ${HEARTBEATS.max} heartbeats in ${HEARTBEATS_MS / 1000} s`
    },
  }
}
