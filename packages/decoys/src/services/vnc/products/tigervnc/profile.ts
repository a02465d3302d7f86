// What TigerVNC 1.12 says with a password: on Debian 12 as it is started for the network, and on Windows as it is installed.
import { text, u32 } from '../../protocol/codec.ts'
import { SECURITY } from '../../protocol/security.ts'

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

/** To a blocked source, in the place of the greeting. */
export const TOO_MANY = Buffer.concat([
  Buffer.from('RFB 003.003\n'),
  u32(SECURITY.invalid),
  text('Too many security failures'),
])
