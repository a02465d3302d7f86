// QUERY_INFO.
import { join, u16, u32 } from '../../../../../windows/fields.ts'
import { errorBody } from '../../../protocol/codec/messages.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { HEADER_BYTES } from '../../../protocol/codec/header.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, openOf, type Outcome, type TreeCall } from '../call.ts'
import { bodyOf } from '../codec.ts'
import { fileInfo, STREAM_LEAST } from '../info/file-info.ts'
import { PART } from '../../../protocol/info/security-descriptor.ts'
import { PARTS, securityDescriptor } from '../info/security-descriptor.ts'
import { volumeInfo } from '../info/volume-info.ts'
import type { OpenFile, OpenPipe } from '../state.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'
import { STANDARD_OF_PIPE, type Info } from '../../../protocol/info/file-classes.ts'

const TYPE = { file: 1, volume: 2, security: 3, quota: 4 } as const
const STANDARD = 5

interface Request {
  readonly type: number
  readonly infoClass: number
  readonly maxOutput: number
  readonly additional: number
}

export function queryInfo(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 41)
  if (!body) return fail(call, STATUS.invalidParameter)
  const { fields, dynamic, dynamicAt } = body
  const [type, infoClass, maxOutput, inputAt] = [fields.u8(), fields.u8(), fields.u32(), fields.u16()]
  fields.skip(2)
  const [inputLength, additional] = [fields.u32(), fields.u32()]
  fields.skip(4)
  const open = openOf(call, fileIdOf(fields.bytes(16)))
  const isInput = inputAt === 0 || (inputAt === dynamicAt && inputLength <= dynamic.length)
  if (!isInput) return fail(call, STATUS.invalidParameter)
  if (!open) return fail(call, STATUS.fileClosed)
  if (isTooLong(call, Math.max(inputLength, maxOutput))) return fail(call, STATUS.invalidParameter)
  const request = { type, infoClass, maxOutput, additional }
  return open.kind === 'pipe' ? queryPipe(call, open, request) : query(call, open, request)
}

function query(call: TreeCall, open: OpenFile, request: Request): Outcome {
  switch (request.type) {
    case TYPE.file:
      return answer(call, fileInfo(request.infoClass, open, request.maxOutput), request)
    case TYPE.volume:
      return answer(call, volumeInfo(request.infoClass, call.machine), request)
    case TYPE.security:
      return querySecurity(call, open, request)
    default:
      return fail(call, request.type === TYPE.quota ? STATUS.invalidHandle : STATUS.invalidParameter)
  }
}

/** What does not fit is cut off, and the status says so. */
function answer(call: TreeCall, info: Info | number, { maxOutput }: Request): Outcome {
  if (typeof info === 'number') return fail(call, info)
  if (maxOutput < info.least) return fail(call, STATUS.infoLengthMismatch)
  const isCut = info.bytes.length > maxOutput
  if (isCut && info.least === STREAM_LEAST) return fail(call, STATUS.bufferOverflow)
  return {
    ...succeed(call.state, output(info.bytes.subarray(0, maxOutput))),
    status: isCut ? STATUS.bufferOverflow : STATUS.success,
  }
}

export const output = (content: Buffer): Buffer =>
  join(u16(9), u16(HEADER_BYTES + 8), u32(content.length), content)

const READ_CONTROL = 0x20000

function querySecurity(call: TreeCall, open: OpenFile, { additional, maxOutput }: Request): Outcome {
  const wanted = additional & PARTS
  if (additional & PART.sacl || (wanted !== 0 && (open.access & READ_CONTROL) === 0))
    return fail(call, STATUS.accessDenied)
  const descriptor = securityDescriptor(wanted, open.node.type, call.machine.owner)
  // The error says how many bytes it takes.
  return descriptor.length > maxOutput
    ? fail(call, STATUS.bufferTooSmall, { body: errorBody(u32(descriptor.length)) })
    : succeed(call.state, output(descriptor))
}

/** Of a pipe, Samba knows this alone: it will be gone when it is closed. */
function queryPipe(call: TreeCall, _open: OpenPipe, request: Request): Outcome {
  if (request.type !== TYPE.file || request.infoClass !== STANDARD) return fail(call, STATUS.notSupported)
  return succeed(call.state, output(STANDARD_OF_PIPE))
}
