// IOCTL.
import { join, u32, u64, zeros } from '../../../../../windows/fields.ts'
import { writeIoctl } from '../../../protocol/codec/file-requests.ts'
import { FSCTL, WITHOUT_FILE } from '../../../protocol/codec/fsctl.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { disconnect, fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, openOf, type Outcome, type TreeCall } from '../call.ts'
import { bodyOf } from '../codec.ts'
import { transceive } from './pipe-calls.ts'
import type { Open, OpenFile } from '../state.ts'
import { fileIdBytes, fileIdOf, NO_FILE, type FileId } from '../../../protocol/codec/file-id.ts'
import {
  VALIDATED_BYTES,
  validated,
  socketAddress,
  isSameNegotiation,
  networkInterface,
} from '../../../protocol/commands/fsctl.ts'

const IS_FSCTL = 1

interface Request {
  readonly code: number
  readonly fileId: FileId
  readonly input: Buffer
  readonly maxOutput: number
}

export function ioctl(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 57)
  if (!body) return fail(call, STATUS.invalidParameter)
  const { fields, dynamic, dynamicAt } = body
  fields.skip(2)
  const code = fields.u32()
  const fileId = fileIdOf(fields.bytes(16))
  const [inputAt, inputLength] = [fields.u32(), fields.u32()]
  fields.skip(12)
  const [maxOutput, flags] = [fields.u32(), fields.u32()]
  if (inputLength > 0 && (inputAt !== dynamicAt || inputLength > dynamic.length))
    return fail(call, STATUS.invalidParameter)
  if (isTooLong(call, Math.max(inputLength, maxOutput))) return fail(call, STATUS.invalidParameter)
  if (flags !== IS_FSCTL) return fail(call, STATUS.notSupported)
  const request = { code, fileId, input: dynamic.subarray(0, inputLength), maxOutput }
  if (WITHOUT_FILE.has(code))
    return fileId === NO_FILE ? withoutFile(call, request) : fail(call, STATUS.invalidParameter)
  const open = openOf(call, fileId)
  if (!open) return fail(call, STATUS.fileClosed)
  return withFile(call, open, request)
}

const COPY_BYTES = 24
const RANGE_BYTES = 16
/** FILE_READ_DATA. */
const READ_DATA = 0x1

/** What nothing here knows. */
const unknown = (call: TreeCall): Outcome =>
  fail(call, call.tree.kind === 'pipes' ? STATUS.fsDriverRequired : STATUS.invalidDeviceRequest)

function withoutFile(call: TreeCall, request: Request): Outcome {
  switch (request.code) {
    case FSCTL.validateNegotiateInfo:
      return validateNegotiation(call, request)
    case FSCTL.queryNetworkInterfaces:
      return queryInterfaces(call, request)
    case FSCTL.dfsGetReferrals:
      return referrals(call, request)
    default:
      return unknown(call)
  }
}

/** A level, and a path that leads nowhere. */
function referrals(call: TreeCall, { input }: Request): Outcome {
  if (input.length < 4) return fail(call, STATUS.invalidParameter)
  const path = input.subarray(2, input.length - (input.length % 2))
  const end = Array.from({ length: path.length / 2 }, (_, i) => path.readUInt16LE(2 * i)).indexOf(0)
  const text = path.toString('utf16le', 0, end < 0 ? path.length : 2 * end)
  return fail(call, text.isWellFormed() ? STATUS.notFound : STATUS.illegalCharacter)
}

function withFile(call: TreeCall, open: Open, request: Request): Outcome {
  const { code } = request
  if (code === FSCTL.pipeTransceive)
    return open.kind === 'pipe'
      ? transceive(call, open, request.input, request.maxOutput)
      : fail(call, STATUS.notSupported)
  if (code === FSCTL.requestResumeKey)
    return answer(call, request, join(fileIdBytes(open.id), u32(code), zeros(12)))
  if (code === FSCTL.getReparsePoint || code === FSCTL.setReparsePoint)
    return fail(call, STATUS.notAReparsePoint)
  if (code === FSCTL.createOrGetObjectId) return objectId(call, open, request)
  return open.kind === 'pipe' ? controlPipe(call, request) : controlFile(call, open, request)
}

function controlPipe(call: TreeCall, { code, input }: Request): Outcome {
  if (code === FSCTL.setSparse) return fail(call, STATUS.mediaWriteProtected)
  if (code === FSCTL.setZeroData)
    return fail(call, input.length < RANGE_BYTES ? STATUS.invalidParameter : STATUS.invalidHandle)
  const isForFiles = code === FSCTL.setCompression || code === FSCTL.queryAllocatedRanges
  return isForFiles ? fail(call, STATUS.invalidParameter) : unknown(call)
}

function controlFile(call: TreeCall, open: OpenFile, request: Request): Outcome {
  const { code, input, maxOutput } = request
  switch (code) {
    case FSCTL.enumerateSnapshots:
      return maxOutput < 16 ? fail(call, STATUS.invalidParameter) : unknown(call)
    case FSCTL.getCompression:
      return maxOutput < 2 ? fail(call, STATUS.invalidUserBuffer) : answer(call, request, zeros(2))
    case FSCTL.setCompression:
    case FSCTL.setZeroData:
      return fail(call, STATUS.accessDenied)
    case FSCTL.setSparse:
      return fail(call, STATUS.mediaWriteProtected)
    case FSCTL.copyChunk:
    case FSCTL.copyChunkWrite:
      return maxOutput < 12 || input.length < COPY_BYTES + 8
        ? fail(call, STATUS.invalidParameter)
        : answer(call, request, zeros(12))
    case FSCTL.queryAllocatedRanges:
      if ((open.access & READ_DATA) === 0) return fail(call, STATUS.accessDenied)
      return input.length < RANGE_BYTES
        ? fail(call, STATUS.invalidParameter)
        : answer(call, request, allocatedRanges(open, input))
    default:
      return unknown(call)
  }
}

/** A file is allocated as a whole, a folder has no content. */
function allocatedRanges({ node }: OpenFile, input: Buffer): Buffer {
  if (node.type === 'directory') return zeros(0)
  const [offset, length] = [input.readBigUInt64LE(0), input.readBigUInt64LE(8)]
  const end = offset + length < BigInt(node.size) ? offset + length : BigInt(node.size)
  return offset < end ? join(u64(offset), u64(end - offset)) : zeros(0)
}

function answer(call: TreeCall, { code, fileId, maxOutput }: Request, output: Buffer): Outcome {
  if (maxOutput < output.length) return fail(call, STATUS.bufferTooSmall)
  return succeed(call.state, writeIoctl(code, fileId, output))
}

/** The number of the file and its device, and the id of the volume. */
function objectId(call: TreeCall, open: Open, { code, fileId, maxOutput }: Request): Outcome {
  const { machine } = call
  const own = open.kind === 'file' ? join(u64(machine.device), u64(open.node.id)) : zeros(16)
  const output = join(own, machine.volumeId, own, zeros(16)).subarray(0, maxOutput)
  return succeed(call.state, writeIoctl(code, fileId, output))
}

/** A client of 3.0 asks whether somebody changed the negotiation. */
function validateNegotiation(call: TreeCall, request: Request): Outcome {
  const { negotiated, machine } = call
  const { input } = request
  const isWhole =
    input.length >= VALIDATED_BYTES &&
    input.length >= VALIDATED_BYTES + 2 * input.readUInt16LE(VALIDATED_BYTES - 2)
  if (!isWhole) return fail(call, STATUS.invalidParameter)
  if (request.maxOutput < VALIDATED_BYTES) return fail(call, STATUS.bufferTooSmall)
  return isSameNegotiation(negotiated, input)
    ? answer(call, request, validated(negotiated, machine))
    : disconnect(call)
}

const UNKNOWN_INDEX = 0xffffffff

/** The one interface that the client came in by, in every dialect; of an address of IPv6 the family alone. */
function queryInterfaces(call: TreeCall, request: Request): Outcome {
  if (request.input.length > 0) return fail(call, STATUS.invalidParameter)
  const address = socketAddress(call.context.dst.host, () => zeros(0))
  return answer(call, request, networkInterface(UNKNOWN_INDEX, 0, address))
}
