// How many packets a second are looked at: bursts whole, a flood in part. What is not read in time, the kernel drops from the
// queue, whatever its source.
import { limit } from '@rookery/kernel/limit.ts'

/** Two scans of all ports. */
const BURST = limit('portscan_packets_burst', 262_144)
/** Packets that are read in the long run; the rest is left out. */
const PER_SECOND = limit('portscan_packets_per_second', 20_000)
const PAUSE_MS = 20

export function readBudget() {
  let left = BURST.max
  let countedAt: number | undefined
  return {
    /** Counts packets; answers how long to wait before the next are read, in milliseconds. */
    spend(packets: number, now: number) {
      const gained = ((now - (countedAt ?? now)) * PER_SECOND.max) / 1_000
      countedAt = now
      left = Math.min(BURST.max, left + gained) - packets
      if (left > 0) return 0
      PER_SECOND.hit()
      return PAUSE_MS
    },
  }
}
