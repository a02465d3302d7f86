// SESSION_SETUP ([MS-SMB2] 2.2.5 and 2.2.6).
import { join, u16 } from '../../../../windows/fields.ts'
import { COMMAND, HEADER_BYTES } from './header.ts'
import { bodyReader, partOf } from './messages.ts'

export const SESSION_IS_GUEST = 1
export const SESSION_IS_NULL = 2
const BINDING = 1

export interface SessionSetupRequest {
  /** The session of another connection is to be bound to this one. */
  readonly isBinding: boolean
  readonly securityMode: number
  readonly token: Buffer
}

export function readSessionSetup(message: Buffer): SessionSetupRequest | undefined {
  const body = bodyReader(message, COMMAND.sessionSetup)
  if (!body) return undefined
  const flags = body.u8()
  const securityMode = body.u8()
  body.skip(8)
  const token = partOf(message, body.u16(), body.u16())
  return token && { isBinding: (flags & BINDING) !== 0, securityMode, token }
}

export const writeSessionSetup = (flags: number, token: Buffer): Buffer =>
  join(u16(9), u16(flags), u16(HEADER_BYTES + 8), u16(token.length), token)
