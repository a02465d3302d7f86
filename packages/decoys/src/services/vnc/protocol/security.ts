// Security types, and how a server refuses one (RFC 6143, 7.1.2 and 7.1.3).
import { text, u32 } from './codec.ts'

export const SECURITY = { invalid: 0, vncAuth: 2, veNCrypt: 19, tlsVnc: 258 } as const

/** SecurityResult: failed; from 3.8 on with a reason. */
export const failure = (minor: number, reason: string): Buffer =>
  minor >= 8 ? Buffer.concat([u32(1), text(reason)]) : u32(1)

/** Instead of a list of security types. */
export const refusal = (minor: number, reason: string): Buffer =>
  Buffer.concat([minor === 3 ? u32(SECURITY.invalid) : Buffer.from([SECURITY.invalid]), text(reason)])
