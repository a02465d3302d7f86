// How many TLS handshakes a host takes part in: each costs some milliseconds of the Bird's one thread, and until it is over
// some hundred KiB of OpenSSL's memory. What is too much waits; what is unfinished for longest makes room.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'

/** The same of one source. */
const PER_SOURCE = limit('tls_handshakes_per_source', 100)
/** Handshakes of all TLS decoys that begin in a second. */
const PER_BIRD = limit('tls_handshakes', 200)
/** Sources whose handshakes are counted. */
const SOURCES = limit('tls_handshake_sources', 4_096)
/** One counter for all handshakes of the Bird. */
const BIRD = limit('tls_handshake_birds', 1)
/** A client's second flight comes after a round trip: with 200 a second, the oldest has had a second for it. */
const UNFINISHED = limit('tls_handshakes_unfinished', 200)
const SECOND_MS = 1_000

const bySource = windowCounter<string>(SOURCES, SECOND_MS)
const all = windowCounter<'all'>(BIRD, SECOND_MS)

/** Resolves when the source may begin a handshake. */
export async function handshakeTurn(source: string, clock: Clock): Promise<void> {
  while (!admits(source, clock.now()))
    await new Promise<void>((resolve) => clock.after(SECOND_MS / 4, resolve))
}

function admits(source: string, nowMs: number): boolean {
  if (bySource.peek(source, nowMs) >= PER_SOURCE.max) return refusedBy(PER_SOURCE)
  if (all.peek('all', nowMs) >= PER_BIRD.max) return refusedBy(PER_BIRD)
  bySource.count(source, nowMs)
  all.count('all', nowMs)
  return true
}

/** In the order in which they began. */
const unfinished = new Set<() => void>()

/** Counts a handshake, and gives up the oldest beyond the limit. Answers what is called when it is over. */
export function beginHandshake(giveUp: () => void): () => void {
  const end = (): void => {
    unfinished.delete(giveUp)
  }
  unfinished.add(giveUp)
  if (unfinished.size <= UNFINISHED.max) return end
  UNFINISHED.hit()
  const [oldest] = unfinished
  if (oldest) {
    unfinished.delete(oldest)
    oldest()
  }
  return end
}

const refusedBy = ({ hit }: typeof PER_BIRD): false => {
  hit()
  return false
}
