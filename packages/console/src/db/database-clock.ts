// The time of the database, which all its consoles share: the process's own clock, and how far it is from the database's.
import type { Clock } from '@rookery/kernel/world.ts'

export interface DatabaseClock extends Clock {
  /** Takes the database's time from an answer that has just come; `roundTripMs` has passed since its question left. */
  observe(databaseMs: number, roundTripMs: number): void
  /** What is added to the process's own clock. */
  offsetMs(): number
}

interface Sample {
  readonly offsetMs: number
  /** The true offset is at most so far from the measured one. */
  readonly errorMs: number
}

const SAMPLES = 10

/** Until the first answer, the process's own clock. */
export function databaseClock(clock: Clock): DatabaseClock {
  let samples: Sample[] = []
  let offsetMs = 0

  const agree = (a: Sample, b: Sample): boolean => Math.abs(a.offsetMs - b.offsetMs) <= a.errorMs + b.errorMs

  return {
    now: () => clock.now() + offsetMs,
    after: clock.after,
    offsetMs: () => offsetMs,
    observe(databaseMs, roundTripMs) {
      // The database read its clock at some time within the round trip; both clocks count whole milliseconds.
      const halfMs = roundTripMs / 2
      const sample = { offsetMs: databaseMs + halfMs - clock.now(), errorMs: halfMs + 1 }
      // Samples that contradict this one were taken before one of the clocks was set.
      samples = [...samples.filter((it) => agree(it, sample)), sample].slice(-SAMPLES)
      const best = samples.reduce((least, it) => (it.errorMs < least.errorMs ? it : least))
      // Kept while it may be right: the time does not jump to and fro by milliseconds.
      if (Math.abs(best.offsetMs - offsetMs) > best.errorMs) offsetMs = Math.round(best.offsetMs)
    },
  }
}
