// READ, WRITE and CLOSE ([MS-SMB2] 3.3.5.10, 3.3.5.12 and 3.3.5.13).
import { fail, isBeyondCharge, succeed } from '../../../protocol/call.ts'
import { maxSizeOf, openOf, type Finished, type Outcome, type TreeCall } from '../call.ts'
import { replaceSession, withOpen, without } from '../../../protocol/state.ts'
import type { OpenFile, OpenPipe, SmbState } from '../state.ts'
import {
  readClose,
  readRead,
  readWrite,
  writeClose,
  writeRead,
  writeWrite,
} from '../../../protocol/codec/file-requests.ts'
import { errorBody } from '../../../protocol/codec/messages.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fileEvent } from '../../../protocol/events.ts'
import { readPipe } from '../../../protocol/pipes/pipe.ts'
import { wait } from './waiting.ts'
import { writeToPipe } from './pipe-calls.ts'

const READ_DATA = 0x1 | 0x20
/** Offsets are signed numbers of 64 bits ([MS-FSA] 2.1.5.2). */
const MAX_OFFSET = 2n ** 63n

export function read(call: TreeCall): Outcome {
  const request = readRead(call.message)
  if (!request) return fail(call, STATUS.invalidParameter)
  const open = openOf(call, request.fileId)
  if (!open) return fail(call, STATUS.fileClosed)
  if (request.length > maxSizeOf(call.negotiated.dialect)) return fail(call, STATUS.invalidParameter)
  if (isBeyondCharge(call, request.length)) return fail(call, STATUS.invalidParameter)
  if (open.kind === 'pipe') return readFromPipe(call, open, request.length)
  if (open.node.type === 'directory') return fail(call, STATUS.invalidDeviceRequest)
  if ((open.access & READ_DATA) === 0) return fail(call, STATUS.accessDenied)
  if (request.offset + BigInt(request.length) > MAX_OFFSET) return fail(call, STATUS.invalidParameter)
  return readFile(call, open, request.length, Number(request.offset), request.minimumCount)
}

function readFile(call: TreeCall, open: OpenFile, length: number, offset: number, minimum: number): Outcome {
  const { node } = open
  if (node.type !== 'file') return fail(call, STATUS.invalidDeviceRequest)
  if (length > 0 && offset >= node.size) return fail(call, STATUS.endOfFile, { fileId: open.id })
  const content = call.config.contentOf(node, call.context.derive).read(offset, length)
  if (content.length < minimum) return fail(call, STATUS.endOfFile, { fileId: open.id })
  const touch = fileEvent(call, { path: node.path, action: 'read', mode: 'r', offset, size: content.length })
  const state = open.wasRead
    ? call.state
    : replaceSession(call, withOpen(call.session, { ...open, wasRead: true }))
  return succeed(state, writeRead(content), { fileId: open.id, events: open.wasRead ? [] : [touch] })
}

function readFromPipe(call: TreeCall, open: OpenPipe, length: number): Outcome {
  const answer = readPipe(open.pipe, length)
  if (!answer) return wait(call, open)
  const state = replaceSession(call, withOpen(call.session, { ...open, pipe: answer.pipe }))
  return {
    state,
    status: answer.isCut ? STATUS.bufferOverflow : STATUS.success,
    body: writeRead(answer.bytes),
    fileId: open.id,
  }
}

export function write(call: TreeCall): Outcome {
  const request = readWrite(call.message)
  if (!request) return fail(call, STATUS.invalidParameter)
  const open = openOf(call, request.fileId)
  if (!open) return fail(call, STATUS.fileClosed)
  if (open.kind === 'file') {
    const { path } = open.node
    const touch = {
      path,
      action: 'write',
      mode: 'w',
      size: request.length,
      status: STATUS.accessDenied,
    } as const
    return fail(call, STATUS.accessDenied, { events: [fileEvent(call, touch)] })
  }
  if (!request.content) return fail(call, STATUS.invalidParameter)
  const { outcome, written } = writeToPipe(call, open, request.content)
  return written ? { ...outcome, body: writeWrite(request.length) } : outcome
}

/** Requests that wait for the file are answered first. */
export function close(call: TreeCall): Outcome {
  const request = readClose(call.message)
  if (!request) return fail(call, STATUS.invalidParameter)
  const open = openOf(call, request.fileId)
  if (!open) return fail(call, STATUS.fileClosed)
  const session = { ...call.session, opens: without(call.session.opens, open.id) }
  const { state, finished } = finishWaiting(replaceSession(call, session), open.id)
  const body = writeClose(open.kind === 'file' && request.wantsAttributes ? open.node : undefined)
  return succeed(state, body, { fileId: open.id, finished })
}

function finishWaiting(state: SmbState, fileId: string): { state: SmbState; finished: readonly Finished[] } {
  const ended = [...state.waiting].filter(([, request]) => request.fileId === fileId)
  if (ended.length === 0) return { state, finished: [] }
  const waiting = new Map([...state.waiting].filter(([, request]) => request.fileId !== fileId))
  const finished = ended.map(([asyncId, request]) => ({
    asyncId,
    request,
    status: STATUS.notifyCleanup,
    body: errorBody(),
  }))
  return { state: { ...state, waiting }, finished }
}
