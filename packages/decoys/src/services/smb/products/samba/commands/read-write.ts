// READ, WRITE and CLOSE.
import { writeWrite, POSTQUERY_ATTRIB, writeClose } from '../../../protocol/codec/file-requests.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { replaceSession, without } from '../../../protocol/state.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, openOf, type Finished, type Outcome, type TreeCall } from '../call.ts'
import { bodyOf, dynamicPart } from '../codec.ts'
import { removeOpen } from '../locking/locking.ts'
import { isLockedFor } from './locks.ts'
import { readFromPipe, writeToPipe } from './pipe-calls.ts'
import { SHOWN_PIPE } from './open-pipe.ts'
import { endWaiting, statusAtEnd } from '../waiting.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'
import { refuseChange, readContent } from '../../../protocol/commands/content.ts'
import type { Samba } from '../state.ts'

const READ_DATA = 0x1 | 0x20
/** Offsets are signed numbers of 64 bits. */
const MAX_OFFSET = 2n ** 63n

export function read(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 49)
  if (!body) return fail(call, STATUS.invalidParameter)
  const { fields } = body
  fields.skip(2)
  const [length, offset, id, minimum] = [fields.u32(), fields.u64(), fileIdOf(fields.bytes(16)), fields.u32()]
  const open = openOf(call, id)
  if (!open) return fail(call, STATUS.fileClosed)
  if (isTooLong(call, length)) return fail(call, STATUS.invalidParameter)
  if (open.kind === 'pipe') return readFromPipe(call, open, length)
  if (open.node.type === 'directory') return fail(call, STATUS.invalidDeviceRequest)
  if ((open.access & READ_DATA) === 0) return fail(call, STATUS.accessDenied)
  if (offset + BigInt(length) > MAX_OFFSET - 1n || offset >= MAX_OFFSET)
    return fail(call, STATUS.invalidParameter)
  if (isLockedFor(open, { offset, length: BigInt(length), isExclusive: false }))
    return fail(call, STATUS.fileLockConflict)
  const from = offset > BigInt(open.node.size) ? open.node.size : Number(offset)
  return readContent<Samba>(call, open, { from, length, minimum })
}

export function write(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 49)
  if (!body) return fail(call, STATUS.invalidParameter)
  const { fields } = body
  const contentAt = fields.u16()
  const [length, offset, id] = [fields.u32(), fields.u64(), fileIdOf(fields.bytes(16))]
  const content = dynamicPart(body, contentAt, length)
  // The rest of a long write is passed over.
  if (!content && call.state.discard === 0) return fail(call, STATUS.invalidParameter)
  const open = openOf(call, id)
  if (!open) return fail(call, STATUS.fileClosed)
  if (isTooLong(call, length)) return fail(call, STATUS.invalidParameter)
  if (open.kind === 'pipe')
    return content
      ? writeToPipe(call, open, content, writeWrite(length).subarray(0, 16))
      : fail(call, STATUS.invalidParameter)
  const at = Number(BigInt.asUintN(53, offset))
  return refuseChange<Samba>(call, { path: open.node.path, size: length, offset: at })
}

/** Requests that wait for the file end with it. */
export function close(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 24)
  if (!body) return fail(call, STATUS.invalidParameter)
  const flags = body.fields.u16()
  body.fields.skip(4)
  const open = openOf(call, fileIdOf(body.fields.bytes(16)))
  if (!open) return fail(call, STATUS.fileClosed)
  const hex = open.id
  if (open.kind === 'file') removeOpen(call.config.locking, open.shared)
  const session = { ...call.session, opens: without(call.session.opens, hex) }
  const { state, finished } = endWaiting(
    replaceSession(call, session),
    (request) => (open.kind === 'pipe' ? STATUS.pipeDisconnected : statusAtEnd(request)),
    ({ fileId }) => fileId === hex,
  )
  const wantsAttributes = (flags & POSTQUERY_ATTRIB) !== 0
  const shown = open.kind === 'file' ? open.node : SHOWN_PIPE
  const isLock = ({ request }: Finished): boolean => request.for.kind === 'lock'
  return succeed(state, writeClose(wantsAttributes ? shown : undefined), {
    finishedBefore: finished.filter(isLock),
    finished: finished.filter((each) => !isLock(each)),
  })
}
