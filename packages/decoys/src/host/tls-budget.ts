// How many TLS handshakes a host takes part in: each costs some milliseconds of the Bird's one thread. What is too much waits.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'

const PER_SOURCE = limit('tls_handshakes_per_source', 100)
const PER_BIRD = limit('tls_handshakes', 200)
const SOURCES = limit('tls_handshake_sources', 4_096)
const BIRD = limit('tls_handshake_birds', 1)
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

const refusedBy = ({ hit }: typeof PER_BIRD): false => {
  hit()
  return false
}
