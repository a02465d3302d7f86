// Requests that change nothing here: ECHO, FLUSH, LOCK, SET_INFO and OPLOCK_BREAK ([MS-SMB2] 3.3.5.11 ff.).
import { fail, succeed } from '../../../protocol/call.ts'
import { openOf, onOpen, type Call, type Outcome, type TreeCall } from '../call.ts'
import { replaceSession, withOpen } from '../../../protocol/state.ts'
import { reader } from '../../../../../windows/fields.ts'
import { readFileId } from '../../../protocol/codec/file-requests.ts'
import { bodyReader, emptyBody } from '../../../protocol/codec/messages.ts'
import { COMMAND, HEADER_BYTES } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'
import { refuseChange } from '../../../protocol/commands/content.ts'
import type { Windows } from '../state.ts'

export const echo = (call: Call): Outcome =>
  bodyReader(call.message, COMMAND.echo)
    ? succeed(call.state, emptyBody())
    : fail(call, STATUS.invalidParameter)

/** A file that is open to read only cannot be flushed ([MS-FSA] 2.1.5.7). */
export const flush = onOpen(readFileId(COMMAND.flush), (call, open) => {
  return open.kind === 'file' ? fail(call, STATUS.accessDenied) : succeed(call.state, emptyBody())
})

/** SMB2_LOCKFLAG ([MS-SMB2] 2.2.26.1): shared or exclusive, at once or waiting; or unlock. */
const UNLOCK = 4
const LOCK_FLAGS = new Set([0x01, 0x02, 0x11, 0x12, UNLOCK])
const LOCK_FLAGS_AT = 40
const LOCK_COUNT_AT = 2

/** Nobody else locks: every lock is granted, and as many are released. */
export const lock = onOpen(readFileId(COMMAND.lock), (call, open) => {
  if (open.kind === 'pipe' || open.node.type === 'directory') return fail(call, STATUS.invalidParameter)
  const flags = reader(call.message.subarray(HEADER_BYTES + LOCK_FLAGS_AT)).u32()
  const count = reader(call.message.subarray(HEADER_BYTES + LOCK_COUNT_AT)).u16()
  if (count === 0 || !LOCK_FLAGS.has(flags)) return fail(call, STATUS.invalidParameter)
  const isUnlock = flags === UNLOCK
  if (isUnlock && open.locks === 0) return fail(call, STATUS.rangeNotLocked)
  const changed = { ...open, locks: open.locks + (isUnlock ? -1 : 1) }
  return succeed(replaceSession(call, withOpen(call.session, changed)), emptyBody())
})

const FILE_INFO = 1
/** Classes that can be set ([MS-SMB2] 2.2.39): basic, rename, link, disposition, position, EAs, mode, allocation, end … */
const SETTABLE = new Set([4, 10, 11, 13, 14, 15, 16, 19, 20, 23, 40, 64, 65])

/** Attributes, names, sizes and security are changed with rights that nobody has. */
export const setInfo = onOpen(readFileId(COMMAND.setInfo), (call, open) => {
  if (open.kind === 'pipe') return succeed(call.state, Buffer.from([2, 0]))
  const [type = 0, infoClass = 0] = call.message.subarray(HEADER_BYTES + 2)
  if (type === FILE_INFO && !SETTABLE.has(infoClass)) return fail(call, STATUS.invalidInfoClass)
  return refuseChange<Windows>(call, open.node)
})

/** No oplock of ours is ever broken: there is nothing to acknowledge. */
export function oplockBreak(call: TreeCall): Outcome {
  const body = bodyReader(call.message, COMMAND.oplockBreak)
  if (!body) return fail(call, STATUS.invalidParameter)
  body.skip(6)
  return fail(call, openOf(call, fileIdOf(body.bytes(16))) ? STATUS.invalidDeviceState : STATUS.fileClosed)
}
