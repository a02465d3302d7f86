// What TightVNC 1.3.10 says with a password, as Debian 12 starts it.
import { u32 } from '../../protocol/codec.ts'
import { failure, refusal, SECURITY } from '../../protocol/security.ts'

export const TIGHT = 16

export const typeList = Buffer.from([2, SECURITY.vncAuth, TIGHT])

/**
 * Behind the security type Tight: how many tunnels there are, and which ways to log in, each as a number, four characters of
 * its vendor and eight of its name (the RFB protocol of the community, "Tight Security Type").
 */
export const capabilities = Buffer.concat([
  u32(0),
  u32(1),
  u32(SECURITY.vncAuth),
  Buffer.from('STDVVNCAUTH_', 'latin1'),
])

/** A wrong password; without a reason before 3.8. */
export const failed = (minor: number, isBlocked: boolean): Buffer =>
  failure(minor, `Authentication failed${isBlocked ? ', too many tries' : ''}`)

/** In the place of the security types, to a source that is blocked. */
export const tooMany = (minor: number): Buffer => refusal(minor, 'Too many authentication failures')
