// IOCTL ([MS-SMB2] 3.3.5.15).
import { disconnect, fail, succeed } from '../../../protocol/call.ts'
import { openOf, isTooLong, type Outcome, type TreeCall } from '../call.ts'
import { join, u16, u32, zeros } from '../../../../../windows/fields.ts'
import { readIoctl, writeIoctl, type IoctlRequest } from '../../../protocol/codec/file-requests.ts'
import { FSCTL, WITHOUT_FILE } from '../../../protocol/codec/fsctl.ts'
import { CAPABILITY } from '../../../protocol/codec/negotiate.ts'
import { DIALECT } from '../../../protocol/codec/dialect.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import type { Open } from '../state.ts'
import { transceive } from './pipe-calls.ts'
import { fileIdBytes, NO_FILE } from '../../../protocol/codec/file-id.ts'
import {
  isSameNegotiation,
  networkInterface,
  VALIDATED_BYTES,
  validated,
  socketAddress,
} from '../../../protocol/commands/fsctl.ts'

export function ioctl(call: TreeCall): Outcome {
  const request = readIoctl(call.message)
  if (!request || !request.isFsctl) return fail(call, request ? STATUS.notSupported : STATUS.invalidParameter)
  const longest = Math.max(request.input.length, request.maxOutput)
  if (isTooLong(call, longest)) return fail(call, STATUS.invalidParameter)
  if (WITHOUT_FILE.has(request.code) && request.fileId !== NO_FILE) return fail(call, STATUS.invalidParameter)
  switch (request.code) {
    case FSCTL.validateNegotiateInfo:
      return validateNegotiation(call, request)
    case FSCTL.queryNetworkInterfaces:
      return queryInterfaces(call, request)
    // No namespace of DFS is on this machine.
    case FSCTL.dfsGetReferrals:
    case FSCTL.dfsGetReferralsEx:
      return fail(call, STATUS.notFound)
    case FSCTL.pipeWait:
      return fail(call, call.tree.kind === 'pipes' ? STATUS.objectNameNotFound : STATUS.invalidDeviceRequest)
    default: {
      const open = openOf(call, request.fileId)
      return open ? controlFile(call, open, request) : fail(call, STATUS.fileClosed)
    }
  }
}

function controlFile(call: TreeCall, open: Open, request: IoctlRequest): Outcome {
  if (open.kind === 'pipe') {
    if (request.code === FSCTL.pipeTransceive) return transceive(call, open, request)
    if (request.code === FSCTL.pipePeek) return peek(call, open, request)
    return fail(call, STATUS.invalidDeviceRequest, { fileId: open.id })
  }
  if (request.code === FSCTL.pipeTransceive) return fail(call, STATUS.notSupported, { fileId: open.id })
  switch (request.code) {
    case FSCTL.requestResumeKey:
      return answer(call, request, join(fileIdBytes(open.id), zeros(12), zeros(4)), 32)
    case FSCTL.enumerateSnapshots:
      return answer(call, request, join(zeros(8), u32(2), u16(0)), 16)
    case FSCTL.getReparsePoint:
      return fail(call, STATUS.notAReparsePoint, { fileId: open.id })
    case FSCTL.createOrGetObjectId:
      return fail(call, STATUS.accessDenied, { fileId: open.id })
    default:
      return fail(call, STATUS.invalidDeviceRequest, { fileId: open.id })
  }
}

function answer(
  call: TreeCall,
  { code, fileId, maxOutput }: IoctlRequest,
  output: Buffer,
  least: number,
): Outcome {
  if (maxOutput < least) return fail(call, STATUS.invalidParameter, { fileId })
  return succeed(call.state, writeIoctl(code, fileId, output.subarray(0, maxOutput)), { fileId })
}

/** Bytes that wait, and how many messages ([MS-FSCC] 2.3.48). The content is left out. */
function peek(call: TreeCall, open: Extract<Open, { kind: 'pipe' }>, request: IoctlRequest): Outcome {
  const { messages } = open.pipe
  const waiting = messages.reduce((sum, { length }) => sum + length, 0)
  const output = join(u32(3), u32(waiting), u32(messages.length), u32(messages[0]?.length ?? 0))
  return answer(call, request, output, 16)
}

/** A client of 3.0 asks whether somebody changed the negotiation ([MS-SMB2] 3.3.5.15.12). */
function validateNegotiation(call: TreeCall, request: IoctlRequest): Outcome {
  const { negotiated, machine } = call
  if (request.maxOutput < VALIDATED_BYTES || !isSameNegotiation(negotiated, request.input))
    return disconnect(call)
  return succeed(call.state, writeIoctl(request.code, NO_FILE, validated(negotiated, machine)))
}

const RSS_CAPABLE = 1
const INTERFACE_INDEX = 11

/** The one interface that the client came in by, if it can use several channels. */
function queryInterfaces(call: TreeCall, request: IoctlRequest): Outcome {
  if (call.negotiated.dialect < DIALECT.v300) return fail(call, STATUS.invalidDeviceRequest)
  if ((call.negotiated.capabilities & CAPABILITY.multiChannel) === 0) return fail(call, STATUS.notSupported)
  const address = socketAddress(call.context.dst.host, ipv6Bytes)
  const output = networkInterface(INTERFACE_INDEX, RSS_CAPABLE, address)
  return answer(call, request, output, output.length)
}

/** Sixteen bytes; `::` stands for the zeros that are missing. */
function ipv6Bytes(host: string): Buffer {
  const [front = '', back] = host.split('::')
  const groups = (text: string): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => parseInt(group, 16))
  const [before, after] = [groups(front), groups(back ?? '')]
  const bytes = zeros(16)
  for (const [i, group] of before.entries()) bytes.writeUInt16BE(group, 2 * i)
  for (const [i, group] of after.entries()) bytes.writeUInt16BE(group, 16 - 2 * (after.length - i))
  return bytes
}
