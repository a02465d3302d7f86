// Writing to a pipe, and writing with reading in one request (FSCTL_PIPE_TRANSCEIVE, [MS-SMB2] 3.3.5.15.3).
import { fail, succeed } from '../../../protocol/call.ts'
import type { Outcome, TreeCall } from '../call.ts'
import { opensOf, replaceSession, withOpen, without } from '../../../protocol/state.ts'
import type { OpenPipe, Windows } from '../state.ts'
import { writeIoctl, type IoctlRequest } from '../../../protocol/codec/file-requests.ts'
import { emptyBody } from '../../../protocol/codec/messages.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { heldBytes, readPipe, writePipe } from '../../../protocol/pipes/pipe.ts'
import { NO_FILE } from '../../../protocol/codec/file-id.ts'
import { callerOf } from '../../../protocol/pipes/caller.ts'

/** What all pipes of a connection hold; a client that reads its answers stays far below. */
const MAX_HELD_BYTES = 64 * 1024

const isTooMuch = ({ state }: TreeCall, written: OpenPipe): boolean =>
  opensOf(state).reduce(
    (sum, each) => (each.kind === 'pipe' && each.id !== written.id ? sum + heldBytes(each.pipe) : sum),
    heldBytes(written.pipe),
  ) > MAX_HELD_BYTES

/** The outcome without a body of its own. A pipe that is broken is closed. */
export function writeToPipe(
  call: TreeCall,
  open: OpenPipe,
  bytes: Buffer,
): { readonly outcome: Outcome; readonly written?: OpenPipe } {
  const { pipe, events } = writePipe(open.pipe, bytes, callerOf<Windows>(call))
  const written = { ...open, pipe }
  if (pipe.isOver || isTooMuch(call, written)) {
    const session = { ...call.session, opens: without(call.session.opens, open.id) }
    return { outcome: fail({ state: replaceSession(call, session) }, STATUS.fileClosed) }
  }
  const state = replaceSession(call, withOpen(call.session, written))
  return { outcome: succeed(state, emptyBody(), { fileId: open.id, events }), written }
}

export function transceive(
  call: TreeCall,
  open: OpenPipe,
  { code, fileId, input, maxOutput }: IoctlRequest,
): Outcome {
  const { outcome, written } = writeToPipe(call, open, input)
  if (!written) return outcome
  const answer = readPipe(written.pipe, maxOutput)
  const session = withOpen(call.session, { ...written, pipe: answer?.pipe ?? written.pipe })
  const id = fileId === NO_FILE ? open.id : fileId
  return {
    ...outcome,
    state: replaceSession(call, session),
    status: answer?.isCut ? STATUS.bufferOverflow : STATUS.success,
    body: writeIoctl(code, id, answer?.bytes ?? Buffer.alloc(0)),
  }
}
