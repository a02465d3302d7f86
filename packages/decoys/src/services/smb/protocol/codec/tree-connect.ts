// TREE_CONNECT ([MS-SMB2] 2.2.9 and 2.2.10).
import { join, textOf, u16, u32, u8 } from '../../../../windows/fields.ts'
import { COMMAND } from './header.ts'
import { bodyReader, partOf } from './messages.ts'

export const SHARE_TYPE = { disk: 1, pipe: 2 } as const
/** Clients may not cache files offline on their own (SMB2_SHAREFLAG_MANUAL_CACHING is 0, NO_CACHING 0x30). */
export const SHARE_FLAG = { manualCaching: 0, noCaching: 0x30 } as const

const EXTENSION_PRESENT = 4

/** The path, such as `\\server\share`; undefined when the message is malformed. */
export function readTreeConnect(message: Buffer): string | undefined {
  const body = bodyReader(message, COMMAND.treeConnect)
  if (!body) return undefined
  const flags = body.u16()
  const path = partOf(message, body.u16(), body.u16())
  return path && (flags & EXTENSION_PRESENT) === 0 ? textOf(path) : undefined
}

export const writeTreeConnect = (type: number, flags: number, maximalAccess: number): Buffer =>
  join(u16(16), u8(type), u8(0), u32(flags), u32(0), u32(maximalAccess))
