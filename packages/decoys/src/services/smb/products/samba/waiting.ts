// Requests that are answered later: CHANGE_NOTIFY, and what waits for a pipe or a lock.
import { FLAG, type Header } from '../../protocol/codec/header.ts'
import { errorBody } from '../../protocol/codec/messages.ts'
import { STATUS } from '../../protocol/codec/status.ts'
import { fail, isTooLong, openOf, type Finished, type Outcome, type TreeCall } from './call.ts'
import { bodyOf } from './codec.ts'
import type { SambaState, PendingRequest } from './state.ts'
import { fileIdOf } from '../../protocol/codec/file-id.ts'

const LIST_RIGHT = 1

export function changeNotify(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 32)
  if (!body) return fail(call, STATUS.invalidParameter)
  body.fields.skip(2)
  const length = body.fields.u32()
  const open = openOf(call, fileIdOf(body.fields.bytes(16)))
  if (!open) return fail(call, STATUS.fileClosed)
  if (isTooLong(call, length)) return fail(call, STATUS.invalidParameter)
  if (open.kind !== 'file' || open.node.type !== 'directory') return fail(call, STATUS.invalidParameter)
  if ((open.access & LIST_RIGHT) === 0) return fail(call, STATUS.accessDenied)
  return { ...fail(call, STATUS.pending), waits: { kind: 'change' }, fileId: open.id }
}

/** The request is named by its asynchronous id, or by its message id. */
export function cancel(
  state: SambaState,
  { flags, asyncId, messageId }: Header,
): { readonly state: SambaState; readonly finished: readonly Finished[] } {
  const isAsync = (flags & FLAG.async) !== 0
  return endWaiting(
    state,
    () => STATUS.cancelled,
    ({ header }, id) => (isAsync ? id === asyncId : header.messageId === messageId),
  )
}

/** Of a request that waits when its file, tree or session ends. */
const AT_END = {
  open: STATUS.cancelled,
  lock: STATUS.rangeNotLocked,
  change: STATUS.notifyCleanup,
  bytes: STATUS.notifyCleanup,
} as const
export const statusAtEnd = ({ for: { kind } }: PendingRequest): number => AT_END[kind]

/** Those that hold up others of their compound come last. */
const holdsUp = ({ again }: PendingRequest): boolean => (again?.behind.length ?? 0) > 0

/** Ends the requests that `isMeant` picks. */
export function endWaiting(
  state: SambaState,
  statusOf: (request: PendingRequest) => number,
  isMeant: (request: PendingRequest, id: bigint) => boolean,
): { readonly state: SambaState; readonly finished: readonly Finished[] } {
  const ended = [...state.waiting]
    .filter(([id, request]) => isMeant(request, id))
    .sort(([, a], [, b]) => Number(holdsUp(a)) - Number(holdsUp(b)))
  if (ended.length === 0) return { state, finished: [] }
  const waiting = new Map([...state.waiting].filter(([id, request]) => !isMeant(request, id)))
  return {
    state: { ...state, waiting },
    finished: ended.map(([asyncId, request]) => ({
      asyncId,
      request,
      status: statusOf(request),
      body: errorBody(),
    })),
  }
}
