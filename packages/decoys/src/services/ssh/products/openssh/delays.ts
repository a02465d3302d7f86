// How long sshd takes. It starts a process for each connection before it identifies itself. For refusals OpenSSH has a
// minimum time for each user (5 to 9.3 ms), and doubles it until it exceeds the time of the check. PAM adds its fail delay
// of 2 s, plus or minus up to a half.
import { createHash } from 'node:crypto'
import type { SessionContext } from '../../../../session/session.ts'

const MIN_MS = 5
/** Until the identification, as measured with Debian 12’s sshd: near the least in most cases. */
const START_MS = 8
const START_SPREAD_MS = 12

/** A number of milliseconds below the bound, by chance. */
export const below = (bound: number, { random }: Pick<SessionContext, 'random'>): number =>
  Math.floor((random(4).readUInt32BE() / 2 ** 32) * bound)

/** From the connection to the identification. */
export const startDelayMs = (context: Pick<SessionContext, 'random'>): number =>
  START_MS + Math.min(...Array.from({ length: 3 }, () => below(START_SPREAD_MS, context)))

/** The user's minimum time, always the same on this Bird. */
export function minimumDelayMs(user: string, { derive }: SessionContext): number {
  const digest = createHash('sha512').update(derive('ssh/timing', 32)).update(user).digest()
  return MIN_MS + digest.readUInt32BE() / 1e9
}

/** `meanMs`: PAM's fail delay. Linux-PAM spreads it by the mean of three uniform numbers. */
export function passwordDelayMs(meanMs: number, user: string, context: SessionContext): number {
  const bytes = context.random(12)
  const spread = [0, 4, 8].reduce((sum, at) => sum + bytes.readUInt32BE(at) / 2 ** 32, 0) / 3
  const elapsed = meanMs * (0.5 + spread)
  let delay = minimumDelayMs(user, context)
  while (delay < elapsed) delay *= 2
  return Math.round(delay)
}
