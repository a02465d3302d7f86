// Requests that are answered later ([MS-SMB2] 3.3.4.2), CHANGE_NOTIFY (3.3.5.19) and CANCEL (3.3.5.16).
import { fail } from '../../../protocol/call.ts'
import { onOpen, type Outcome, type TreeCall } from '../call.ts'
import { readFileId } from '../../../protocol/codec/file-requests.ts'
import { errorBody } from '../../../protocol/codec/messages.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { MAX_WAITING } from '../../../protocol/state.ts'
import type { Open } from '../state.ts'
import { COMMAND } from '../../../protocol/codec/header.ts'

/** Says that the answer follows. Nothing changes in the share: only CANCEL or CLOSE brings it. */
export function wait(call: TreeCall, open: Open): Outcome {
  const { state, header, session, tree } = call
  if (state.waiting.size >= MAX_WAITING) return fail(call, STATUS.insufficientResources)
  const asyncId = BigInt(state.lastNumber + 1)
  const waiting = new Map(state.waiting).set(asyncId, {
    sessionId: session.id,
    treeId: tree.id,
    header,
    fileId: open.id,
  })
  return {
    state: { ...state, waiting, lastNumber: state.lastNumber + 1 },
    status: STATUS.pending,
    body: errorBody(),
    asyncId,
    fileId: open.id,
  }
}

export const changeNotify = onOpen(readFileId(COMMAND.changeNotify), (call, open) => {
  if (open.kind !== 'file' || open.node.type !== 'directory') return fail(call, STATUS.invalidParameter)
  return wait(call, open)
})
