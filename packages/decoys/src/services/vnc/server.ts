// What TigerVNC 1.12 says with a password: on Debian 12 as it is started for the network, and on Windows as it is installed.
import { text, u32 } from './codec.ts'

export const GREETING = 'RFB 003.008\n'

export const SECURITY = { invalid: 0, vncAuth: 2, veNCrypt: 19, tlsVnc: 258 } as const

export const SECURITY_TYPES: readonly number[] = [SECURITY.veNCrypt, SECURITY.vncAuth]

/** In the order of `SecurityTypes`: Debian's tigervncserver gives its own when others may connect, Windows has the default. */
const SUB_TYPES = {
  debian: [SECURITY.vncAuth, SECURITY.tlsVnc],
  windows: [SECURITY.tlsVnc, SECURITY.vncAuth],
} as const satisfies Record<string, readonly number[]>

export type Platform = keyof typeof SUB_TYPES

export const typeList = Buffer.from([SECURITY_TYPES.length, ...SECURITY_TYPES])

/** For VeNCrypt 0.2: its version is fine, and these are the sub-types. */
export const subTypeList = (platform: Platform): Buffer => {
  const types = SUB_TYPES[platform]
  return Buffer.concat([Buffer.from([0, types.length]), ...types.map(u32)])
}

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
