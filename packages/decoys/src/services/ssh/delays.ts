// How long a refusal takes. OpenSSH lets none return before a time that is the user's own (5 to 9.3 ms) and doubles that
// time until it is longer than what the check took; PAM adds its fail delay of 2 s, spread by half to either side.
import { createHash } from 'node:crypto'
import type { SessionContext } from '../../session.ts'

const LEAST_MS = 5

/** The user's own time, the same for ever on this Bird. */
export function minimumDelayMs(user: string, { derive }: SessionContext): number {
  const digest = createHash('sha512').update(derive('ssh/timing', 32)).update(user).digest()
  return LEAST_MS + digest.readUInt32BE() / 1e9
}

/** `meanMs`: PAM's fail delay. The mean of three uniform numbers spreads it as Linux-PAM does. */
export function passwordDelayMs(meanMs: number, user: string, context: SessionContext): number {
  const bytes = context.random(12)
  const spread = [0, 4, 8].reduce((sum, at) => sum + bytes.readUInt32BE(at) / 2 ** 32, 0) / 3
  const elapsed = meanMs * (0.5 + spread)
  let delay = minimumDelayMs(user, context)
  while (delay < elapsed) delay *= 2
  return Math.round(delay)
}
