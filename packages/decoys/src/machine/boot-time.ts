// When the machine was started last. Nothing is stored: it follows from the Bird's seed and the time.
import type { Derive } from './draw.ts'

const DAY_MS = 86_400_000

/**
 * Milliseconds UTC. The machine restarts every 20 to 84 days, each at times of its own, so that its uptime goes on while the
 * Bird itself restarts.
 */
export function bootedAt(derive: Derive, now: number): number {
  const seed = derive('machine/boot', 12)
  const period = (20 + (seed.readUInt32BE(0) % 65)) * DAY_MS + (seed.readUInt32BE(4) % DAY_MS)
  const phase = (seed.readUInt32BE(8) * 1_000) % period
  return now - ((((now - phase) % period) + period) % period)
}
