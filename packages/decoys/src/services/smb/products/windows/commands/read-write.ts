// READ, WRITE and CLOSE ([MS-SMB2] 3.3.5.10, 3.3.5.12 and 3.3.5.13).
import { fail, succeed } from '../../../protocol/call.ts'
import { isTooLong, onOpen, type Outcome, type TreeCall } from '../call.ts'
import { replaceSession, withOpen, without } from '../../../protocol/state.ts'
import type { OpenPipe, Windows } from '../state.ts'
import {
  readClose,
  readRead,
  readWrite,
  writeClose,
  writeRead,
  writeWrite,
} from '../../../protocol/codec/file-requests.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { readPipe } from '../../../protocol/pipes/pipe.ts'
import { wait } from './waiting.ts'
import { writeToPipe } from './pipe-calls.ts'
import { refuseChange, readContent } from '../../../protocol/commands/content.ts'
import { endWaiting } from '../../../protocol/waiting.ts'

const READ_DATA = 0x1 | 0x20
/** Offsets are signed numbers of 64 bits ([MS-FSA] 2.1.5.2). */
const MAX_OFFSET = 2n ** 63n

export const read = onOpen(readRead, (call, open, request) => {
  if (isTooLong(call, request.length)) return fail(call, STATUS.invalidParameter)
  if (open.kind === 'pipe') return readFromPipe(call, open, request.length)
  if (open.node.type === 'directory') return fail(call, STATUS.invalidDeviceRequest)
  if ((open.access & READ_DATA) === 0) return fail(call, STATUS.accessDenied)
  if (request.offset + BigInt(request.length) > MAX_OFFSET) return fail(call, STATUS.invalidParameter)
  const range = { from: Number(request.offset), length: request.length, minimum: request.minimumCount }
  return { ...readContent<Windows>(call, open, range), fileId: open.id }
})

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

export const write = onOpen(readWrite, (call, open, request) => {
  if (open.kind === 'file') return refuseChange<Windows>(call, { path: open.node.path, size: request.length })
  if (!request.content) return fail(call, STATUS.invalidParameter)
  const { outcome, written } = writeToPipe(call, open, request.content)
  return written ? { ...outcome, body: writeWrite(request.length) } : outcome
})

/** Requests that wait for the file are answered first. */
export const close = onOpen(readClose, (call, open, request) => {
  const session = { ...call.session, opens: without(call.session.opens, open.id) }
  const { state, finished } = endWaiting<Windows>(
    replaceSession(call, session),
    () => STATUS.notifyCleanup,
    ({ fileId }) => fileId === open.id,
  )
  const body = writeClose(open.kind === 'file' && request.wantsAttributes ? open.node : undefined)
  return succeed(state, body, { fileId: open.id, finished })
})
