// Reading from a pipe and writing to it. What has no answer yet waits for it, in order.
import { writeIoctl, writeRead } from '../../../protocol/codec/file-requests.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import type { Finished, Outcome, TreeCall } from '../call.ts'
import { replaceSession, withOpen, withSession } from '../../../protocol/state.ts'
import { readPipe, writePipe } from '../../../protocol/pipes/pipe.ts'
import type { OpenPipe, SambaState, Samba } from '../state.ts'
import { callerOf } from '../../../protocol/pipes/caller.ts'

export function readFromPipe(call: TreeCall, open: OpenPipe, length: number): Outcome {
  const answer = readPipe(open.pipe, length)
  if (!answer && open.pipe.isOver) return fail(call, STATUS.pipeDisconnected)
  if (!answer)
    return {
      ...fail(call, STATUS.pending),
      waits: { kind: 'bytes', length, isTransceive: false },
      fileId: open.id,
    }
  const state = replaceSession(call, withOpen(call.session, { ...open, pipe: answer.pipe }))
  return succeed(state, writeRead(answer.bytes))
}

/** What waited for bytes of the pipe gets them behind the answer. */
export function writeToPipe(call: TreeCall, open: OpenPipe, bytes: Buffer, body: Buffer): Outcome {
  if (bytes.length === 0) return succeed(call.state, body)
  if (open.pipe.isOver) return fail(call, STATUS.connectionDisconnected)
  const { pipe, events } = writePipe(open.pipe, bytes, callerOf<Samba>(call))
  const before = replaceSession(call, withOpen(call.session, { ...open, pipe }))
  const { state, finished } = feed(before, open.id)
  return succeed(state, body, { events, finished })
}

const TRANSCEIVE = 0x0011c017

export function transceive(call: TreeCall, open: OpenPipe, input: Buffer, maxOutput: number): Outcome {
  if (open.pipe.isOver) return fail(call, STATUS.connectionDisconnected)
  const { pipe: written, events } = writePipe(open.pipe, input, callerOf<Samba>(call))
  const answer = readPipe(written, maxOutput)
  const pipe = answer?.pipe ?? written
  const state = replaceSession(call, withOpen(call.session, { ...open, pipe }))
  if (!answer && pipe.isOver) return fail({ state }, STATUS.connectionDisconnected, { events })
  if (!answer)
    return {
      ...fail({ state }, STATUS.pending, { events }),
      waits: { kind: 'bytes', length: maxOutput, isTransceive: true },
      fileId: open.id,
    }
  return {
    ...succeed(state, writeIoctl(TRANSCEIVE, open.id, answer.bytes), { events }),
    status: answer.isCut ? STATUS.bufferOverflow : STATUS.success,
  }
}

function feed(
  before: SambaState,
  fileId: string,
): { readonly state: SambaState; readonly finished: readonly Finished[] } {
  let state = before
  const finished: Finished[] = []
  for (const [asyncId, request] of before.waiting) {
    const session = state.sessions.get(request.sessionId)
    const open = session?.opens.get(fileId)
    if (request.fileId !== fileId || request.for.kind !== 'bytes' || !session || open?.kind !== 'pipe')
      continue
    const answer = readPipe(open.pipe, request.for.length)
    if (!answer) break
    const waiting = new Map(state.waiting)
    waiting.delete(asyncId)
    state = { ...withSession(state, withOpen(session, { ...open, pipe: answer.pipe })), waiting }
    const { isTransceive } = request.for
    const isCut = isTransceive && answer.isCut
    const content = Buffer.from(answer.bytes)
    const body = isTransceive ? writeIoctl(TRANSCEIVE, open.id, content) : whole(writeRead(content))
    finished.push({ asyncId, request, status: isCut ? STATUS.bufferOverflow : STATUS.success, body })
  }
  return { state, finished }
}

function whole(content: ReturnType<typeof writeRead>): Buffer {
  const bytes = Buffer.alloc(content.length)
  content.copy(bytes, 0)
  return bytes
}
