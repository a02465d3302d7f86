// What lines cost that compute: a source has a quarter of a core for them, and behind each of them its decoy rests as long as it
// took. A source beyond that waits; others are served in between.

/** A line may take as long uncounted, and longer where it is long itself. */
const FREE_MS = 0.2
const FREE_MS_A_BYTE = 0.000_01
/** Work of one connection in a turn of the event loop; lines that are left wait for a later one. */
const TURN_MS = 4
/** The same of a connection that was closed while it waited: nobody reads its answers. */
const CLOSED_TURN_MS = 1
/** Of a core, the other way round. */
const SHARE_OF_SOURCE = 4
const SHARE_OF_DECOY = 2
/** What a source may take at once before it waits: a visitor who comes now and then never does. */
const BURST_MS = 50
/** A shorter wait is left until more has come together. */
const MIN_WAIT_MS = 1

export interface CostsDeps {
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
  /** Milliseconds that this thread has used of its core: what other processes take does not count. */
  readonly used: () => number
}

export interface Worker {
  readonly decoy: string
  readonly source: string
}

export function openCosts({ now, used }: CostsDeps) {
  const [decoys, sources] = [accounts(SHARE_OF_DECOY, 0), accounts(SHARE_OF_SOURCE, BURST_MS)]
  let turnEndsAt = Infinity
  return {
    /** How long what the source sends next must wait, for its own sake or for its decoy's; 0: not at all. */
    waitMs({ decoy, source }: Worker): number {
      const ms = Math.max(decoys.waitMs(decoy, now()), sources.waitMs(source, now()))
      return ms >= MIN_WAIT_MS ? ms : 0
    },
    /** Answers lines of so many bytes, and has them paid for. */
    work<T>(
      { decoy, source }: Worker,
      bytes: number,
      act: () => readonly T[],
      isClosed = false,
    ): readonly T[] {
      const before = used()
      turnEndsAt = now() + (isClosed ? CLOSED_TURN_MS : TURN_MS)
      let lines = 1
      try {
        const answers = act()
        lines = Math.max(1, answers.length)
        return answers
      } finally {
        turnEndsAt = Infinity
        const ms = used() - before - lines * FREE_MS - bytes * FREE_MS_A_BYTE
        if (ms > 0) {
          sources.charge(source, ms, now())
          decoys.charge(decoy, ms, now())
        }
      }
    },
    /** Whether the connection that is at work has had its part of this turn. */
    isTurnOver: (): boolean => now() >= turnEndsAt,
  }
}

export type Costs = ReturnType<typeof openCosts>

/**
 * Each has one of so many parts of a core, and what it did not use lately, up to `burstMs` of work. An account is forgotten once
 * it is even; what has been worked for it limits how many there are.
 */
function accounts(parts: number, burstMs: number) {
  // When each is even.
  const evenAt = new Map<string, number>()
  return {
    waitMs: (name: string, at: number): number =>
      Math.max(0, (evenAt.get(name) ?? 0) - burstMs * (parts - 1) - at),
    charge(name: string, ms: number, at: number): void {
      for (const [other, time] of evenAt) if (time <= at) evenAt.delete(other)
      evenAt.set(name, Math.max(at - ms, evenAt.get(name) ?? 0) + ms * parts)
    },
  }
}
