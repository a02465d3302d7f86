// Requests that are answered later ([MS-SMB2] 3.3.4.2), CHANGE_NOTIFY (3.3.5.19) and CANCEL (3.3.5.16).
import { fail, openOf, type Finished, type Outcome, type TreeCall } from '../call.ts'
import { readFileId } from '../../../protocol/codec/file-requests.ts'
import { FLAG, type Header } from '../../../protocol/codec/header.ts'
import { errorBody } from '../../../protocol/codec/messages.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { MAX_WAITING, without, type Open, type SmbState } from '../../../protocol/state.ts'

/** Says that the answer follows. Nothing changes in the share: only CANCEL or CLOSE brings it. */
export function wait(call: TreeCall, open: Open): Outcome {
  const { state, header, session, tree } = call
  if (state.waiting.size >= MAX_WAITING) return fail(call, STATUS.insufficientResources)
  const asyncId = BigInt(state.lastNumber + 1)
  const waiting = new Map(state.waiting).set(asyncId, {
    sessionId: session.id,
    treeId: tree.id,
    messageId: header.messageId,
    command: header.command,
    fileId: open.id,
    isSigned: (header.flags & FLAG.signed) !== 0,
  })
  return {
    state: { ...state, waiting, lastNumber: state.lastNumber + 1 },
    status: STATUS.pending,
    body: errorBody(),
    asyncId,
    fileId: open.id,
  }
}

export function changeNotify(call: TreeCall): Outcome {
  const fileId = readFileId(call.message, call.header.command)
  if (!fileId) return fail(call, STATUS.invalidParameter)
  const open = openOf(call, fileId)
  if (!open) return fail(call, STATUS.fileClosed)
  if (open.kind !== 'file' || open.node.type !== 'directory') return fail(call, STATUS.invalidParameter)
  return wait(call, open)
}

/** The request is named by its asynchronous id, or by its message id. */
export function cancel(state: SmbState, { flags, asyncId, messageId }: Header): Outcome {
  const isAsync = (flags & FLAG.async) !== 0
  const found = [...state.waiting].find(([id, request]) =>
    isAsync ? id === asyncId : request.messageId === messageId,
  )
  if (!found) return { state, status: STATUS.success }
  const [id, request] = found
  const finished: Finished = { asyncId: id, request, status: STATUS.cancelled, body: errorBody() }
  const waiting = without(state.waiting, id)
  return { state: { ...state, waiting }, status: STATUS.success, finished: [finished] }
}
