// The context of a session that runs without a host.
import { createHash, randomBytes } from 'node:crypto'
import type { SessionContext } from '../src/session/session.ts'

/** The seed of the Bird that `serve.ts` opens. */
export const SERVED_BIRD = 'bird-for-tools'

/** `derive` of the Bird whose seed this is. */
export const deriveFrom =
  (seed: string) =>
  (label: string, length: number): Buffer =>
    createHash('shake256', { outputLength: length }).update(`${seed}/${label}`).digest()

export const testContext = (over: Partial<SessionContext> = {}): SessionContext => ({
  now: () => Date.UTC(2026, 10, 20, 9, 39, 2),
  random: (length) => randomBytes(length),
  derive: deriveFrom('bird-1'),
  src: { host: '203.0.113.9', port: 40_000 },
  dst: { host: '192.0.2.1', port: 80 },
  ...over,
})
