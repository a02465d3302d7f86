// Requests that are answered later: CHANGE_NOTIFY, and what waits for a pipe or a lock.
import { STATUS } from '../../protocol/codec/status.ts'
import { fail } from '../../protocol/call.ts'
import { isTooLong, openOf, type Outcome, type TreeCall } from './call.ts'
import { bodyOf } from './codec.ts'
import type { PendingRequest, SambaState, Samba } from './state.ts'
import { fileIdOf } from '../../protocol/codec/file-id.ts'
import { LIST_RIGHT } from '../../protocol/commands/search.ts'
import { endWaiting as endRequests, type WaitingEnd } from '../../protocol/waiting.ts'

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

/** As every server does, but in that order. */
export function endWaiting(
  before: SambaState,
  ...which: [
    statusOf: (request: PendingRequest) => number,
    isMeant: (request: PendingRequest, id: bigint) => boolean,
  ]
): WaitingEnd<Samba> {
  const { state, finished } = endRequests<Samba>(before, ...which)
  return {
    state,
    finished: finished.toSorted((a, b) => Number(holdsUp(a.request)) - Number(holdsUp(b.request))),
  }
}
