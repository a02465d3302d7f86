// One run of the Bird: its boot id and the monotonic time since it began. A reboot begins another one.
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { BirdClock } from './world.ts'

/** The Bird's clocks at one moment, as frames and events carry them. */
export interface BirdClocks {
  readonly wallMs: number
  /** Since the boot named `bootId`. */
  readonly monotonicMs: number
  readonly bootId: string
}

export function boot(clock: BirdClock, random: Random) {
  let bootId = hex(random, 32)
  let bootedAt = clock.monotonicMs()
  return {
    clocks: (): BirdClocks => ({
      wallMs: clock.now(),
      monotonicMs: Math.floor(clock.monotonicMs() - bootedAt),
      bootId,
    }),
    /** Takes a new boot id; monotonic time counts from 0 again. */
    restart() {
      bootId = hex(random, 32)
      bootedAt = clock.monotonicMs()
    },
  }
}

export type Boot = ReturnType<typeof boot>
