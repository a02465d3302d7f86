// What TigerVNC 1.12 says as Debian 12 starts it for the network, with a password.
import { text, u32 } from './codec.ts'

export const GREETING = 'RFB 003.008\n'

export const SECURITY = { invalid: 0, vncAuth: 2, veNCrypt: 19, tlsVnc: 258 } as const

/** `-SecurityTypes` of Debian's tigervncserver when others may connect. */
export const SECURITY_TYPES: readonly number[] = [SECURITY.veNCrypt, SECURITY.vncAuth]
export const SUB_TYPES: readonly number[] = [SECURITY.vncAuth, SECURITY.tlsVnc]

export const typeList = Buffer.from([SECURITY_TYPES.length, ...SECURITY_TYPES])

/** For VeNCrypt 0.2: its version is fine, and these are the sub-types. */
export const subTypeList = Buffer.concat([Buffer.from([0, SUB_TYPES.length]), ...SUB_TYPES.map(u32)])

/** SecurityResult: failed; from 3.8 on with a reason. */
export const failure = (minor: number, reason: string): Buffer =>
  minor >= 8 ? Buffer.concat([u32(1), text(reason)]) : u32(1)

/** Instead of a list of security types. */
export const refusal = (minor: number, reason: string): Buffer =>
  Buffer.concat([minor === 3 ? u32(SECURITY.invalid) : Buffer.from([SECURITY.invalid]), text(reason)])

/** To a blocked source, in the place of the greeting. */
export const TOO_MANY = Buffer.concat([
  Buffer.from('RFB 003.003\n'),
  u32(SECURITY.invalid),
  text('Too many security failures'),
])
