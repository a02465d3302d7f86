// SET_INFO: nobody may change anything, but some of what an open remembers.
import { STATUS } from '../../../protocol/codec/status.ts'
import { join, u16 } from '../../../../../windows/fields.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, openOf, type Outcome, type TreeCall } from '../call.ts'
import { replaceSession, withOpen } from '../../../protocol/state.ts'
import { bodyOf } from '../codec.ts'
import type { OpenFile, Samba } from '../state.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'
import { refuseChange } from '../../../protocol/commands/content.ts'

const TYPE = { file: 1, volume: 2, security: 3, quota: 4 } as const
const QUOTA = 6
const DELETE = 0x10000

export function setInfo(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 33)
  if (!body) return fail(call, STATUS.invalidParameter)
  const { fields, dynamic, dynamicAt } = body
  const [type, infoClass, length, at] = [fields.u8(), fields.u8(), fields.u32(), fields.u16()]
  fields.skip(6)
  const open = openOf(call, fileIdOf(fields.bytes(16)))
  if (length > 0 && (at !== dynamicAt || length > dynamic.length)) return fail(call, STATUS.invalidParameter)
  if (isTooLong(call, length)) return fail(call, STATUS.invalidParameter)
  if (!open) return fail(call, STATUS.fileClosed)
  if (open.kind === 'pipe') return fail(call, STATUS.notSupported)
  const content = dynamic.subarray(0, length)
  switch (type) {
    case TYPE.file:
      return setFile(call, open, infoClass, content)
    case TYPE.volume:
      return fail(call, infoClass === QUOTA ? STATUS.accessDenied : STATUS.invalidInfoClass)
    case TYPE.security:
      return refuseChange<Samba>(call, open.node)
    default:
      return fail(call, STATUS.invalidParameter)
  }
}

/** How long the content of each class must be; those of Unix and of links are not for SMB2. */
const LEAST: Readonly<Record<number, number>> = { 4: 36, 13: 1, 14: 8, 15: 4, 16: 4, 19: 8, 20: 8 }
const NOT_SUPPORTED = new Set([39, 40])
const RENAME = new Set([10, 11])
/** Nothing, and writing through or reading in order. */
const MODES = new Set([0, 2, 4, 6])
const CLASS = { disposition: 13, position: 14, mode: 16, endOfFile: 20 } as const

function setFile(call: TreeCall, open: OpenFile, infoClass: number, content: Buffer): Outcome {
  if (NOT_SUPPORTED.has(infoClass)) return fail(call, STATUS.notSupported)
  if (RENAME.has(infoClass)) return fail(call, STATUS.invalidParameter)
  const least = LEAST[infoClass]
  if (least === undefined) return fail(call, STATUS.invalidInfoClass)
  if (content.length < least) return fail(call, STATUS.invalidParameter)
  const done = (next = open): Outcome =>
    succeed(replaceSession(call, withOpen(call.session, next)), join(u16(2)))
  switch (infoClass) {
    case CLASS.position:
      return done({ ...open, position: content.readBigUInt64LE() })
    case CLASS.mode:
      return MODES.has(content.readUInt32LE()) ? done() : fail(call, STATUS.invalidParameter)
    case CLASS.disposition:
      return content[0] === 0 || open.access & DELETE ? done() : refuseChange<Samba>(call, open.node)
    case CLASS.endOfFile:
      return open.node.type === 'directory' && content.readBigUInt64LE() === 0n
        ? done()
        : refuseChange<Samba>(call, open.node)
    default:
      return refuseChange<Samba>(call, open.node)
  }
}
