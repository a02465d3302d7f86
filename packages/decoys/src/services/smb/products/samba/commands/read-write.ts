// READ, WRITE and CLOSE.
import { writeRead, writeWrite } from '../../../protocol/codec/file-requests.ts'
import { writeTimes } from '../../../protocol/codec/create.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fileEvent } from '../../../protocol/events.ts'
import { join, u16, u32, u64 } from '../../../../../windows/fields.ts'
import { replaceSession, withOpen, without } from '../../../protocol/state.ts'
import { ATTRIBUTE } from '../../../protocol/tree/tree.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, openOf, type Finished, type Outcome, type TreeCall } from '../call.ts'
import { bodyOf, dynamicPart } from '../codec.ts'
import { removeOpen } from '../locking/locking.ts'
import { isLockedFor } from './locks.ts'
import { readFromPipe, writeToPipe } from './pipe-calls.ts'
import { PIPE_TIMES } from './open-pipe.ts'
import type { Open, OpenFile } from '../state.ts'
import { endWaiting, statusAtEnd } from '../waiting.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'

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
  return readFile(call, open, { length, offset, minimum })
}

interface Range {
  readonly length: number
  readonly offset: bigint
  readonly minimum: number
}

function readFile(call: TreeCall, open: OpenFile, { length, offset, minimum }: Range): Outcome {
  const { node } = open
  if (node.type !== 'file') return fail(call, STATUS.invalidDeviceRequest)
  if (isLockedFor(open, { offset, length: BigInt(length), isExclusive: false }))
    return fail(call, STATUS.fileLockConflict)
  const from = offset > BigInt(node.size) ? node.size : Number(offset)
  const content = call.config.contentOf(node, call.context.derive).read(from, length)
  if ((content.length === 0 && length > 0) || content.length < minimum) return fail(call, STATUS.endOfFile)
  const touch = fileEvent(call, {
    path: node.path,
    action: 'read',
    mode: 'r',
    offset: from,
    size: content.length,
  })
  const state = open.wasRead
    ? call.state
    : replaceSession(call, withOpen(call.session, { ...open, wasRead: true }))
  return succeed(state, writeRead(content), { events: open.wasRead ? [] : [touch] })
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
  const touch = {
    path: open.node.path,
    action: 'write',
    mode: 'w',
    offset: Number(BigInt.asUintN(53, offset)),
    size: length,
    status: STATUS.accessDenied,
  } as const
  return fail(call, STATUS.accessDenied, { events: [fileEvent(call, touch)] })
}

const POSTQUERY_ATTRIB = 1

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
  const isLock = ({ request }: Finished): boolean => request.for.kind === 'lock'
  return succeed(state, closed(open, (flags & POSTQUERY_ATTRIB) !== 0), {
    finishedBefore: finished.filter(isLock),
    finished: finished.filter((each) => !isLock(each)),
  })
}

function closed(open: Open, wantsAttributes: boolean): Buffer {
  if (!wantsAttributes) return join(u16(60), Buffer.alloc(58))
  const none = { times: PIPE_TIMES, allocationSize: 0, size: 0, attributes: ATTRIBUTE.normal }
  const { times, allocationSize, size, attributes } = open.kind === 'file' ? open.node : none
  return join(
    u16(60),
    u16(POSTQUERY_ATTRIB),
    u32(0),
    writeTimes(times),
    u64(allocationSize),
    u64(size),
    u32(attributes),
  )
}
