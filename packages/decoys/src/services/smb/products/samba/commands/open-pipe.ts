// Opening a named pipe of IPC$.
import { fileTime } from '../../../../../windows/filetime.ts'
import { writeCreate } from '../../../protocol/codec/create.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { pipeEvent } from '../../../protocol/events.ts'
import { newPipe } from '../../../protocol/pipes/pipe.ts'
import { ATTRIBUTE } from '../../../protocol/tree/tree.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import type { Outcome, TreeCall } from '../call.ts'
import { opensOf, replaceSession, withOpen } from '../../../protocol/state.ts'
import type { CreateRequest } from './create-request.ts'
import { fileId } from '../ids.ts'
import { pipeNamed } from '../pipes/interfaces.ts'
import { RULES } from '../pipes/rules.ts'
import { MAX_PIPES, type OpenPipe } from '../state.ts'

const PIPE_ACCESS = 0x0012019f
const MAX_NAME = 255
const EPOCH = fileTime(0)
/** A socket has none of its own. */
const TIMES = { createdAt: EPOCH, accessedAt: EPOCH, writtenAt: EPOCH, changedAt: EPOCH }
export const SHOWN_PIPE = { times: TIMES, allocationSize: 0, size: 0, attributes: ATTRIBUTE.normal }

/** Whatever else is asked for does not matter. */
export function openPipe(call: TreeCall, { name }: CreateRequest): Outcome {
  if (name.length > MAX_NAME) return fail(call, STATUS.objectNameInvalid)
  const wanted = name.toLowerCase()
  // What stands for the folder of pipes is no socket.
  if (wanted === '' || wanted === '.') return fail(call, STATUS.connectionRefused)
  const found = pipeNamed(wanted)
  if (!found) return fail(call, STATUS.objectNameNotFound)
  const { context, state, session, tree } = call
  if (opensOf(state).filter(({ kind }) => kind === 'pipe').length >= MAX_PIPES)
    return fail(call, STATUS.insufficientResources)
  const id = fileId(context)
  const open: OpenPipe = {
    kind: 'pipe',
    id,
    treeId: tree.id,
    access: PIPE_ACCESS,
    name: wanted,
    pipe: newPipe(RULES, found.address, found.interfaces),
  }
  const body = writeCreate({
    oplockLevel: 0,
    file: SHOWN_PIPE,
    fileId: id,
    contexts: [],
  })
  const events = wanted === 'winreg' ? [pipeEvent(call, '5015', 'open', STATUS.success)] : []
  return succeed(replaceSession(call, withOpen(session, open)), body.subarray(0, -1), { fileId: id, events })
}
