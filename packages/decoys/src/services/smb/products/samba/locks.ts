// LOCK: ranges of bytes, as the opens of this connection hold them.
import { reader } from '../../../../windows/fields.ts'
import { emptyBody } from '../../codec/messages.ts'
import { HEADER_BYTES } from '../../codec/header.ts'
import { STATUS } from '../../codec/status.ts'
import { fail, openOf, replaceSession, succeed, type Finished, type Outcome, type TreeCall } from './call.ts'
import { bodyOf } from './codec.ts'
import { opensOf, withOpen, withSession, type Lock, type OpenFile, type SambaState } from './state.ts'

const SHARED = 0x01
const EXCLUSIVE = 0x02
const UNLOCK = 0x04
const AT_ONCE = 0x10
const LOCK_BYTES = 24
const MOST_LOCKS = 64
const READ_OR_WRITE = 0x3 | 0x20

interface Element extends Lock {
  readonly flags: number
}

export function lock(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 48)
  if (!body) return fail(call, STATUS.invalidParameter)
  const count = body.fields.u16()
  body.fields.skip(4)
  const id = body.fields.bytes(16)
  if (count === 0 || body.dynamic.length < (count - 1) * LOCK_BYTES)
    return fail(call, STATUS.invalidParameter)
  const open = openOf(call, id)
  if (!open) return fail(call, STATUS.fileClosed)
  const elements = readElements(call.message, Math.min(count, MOST_LOCKS))
  const refusal = checkElements(elements)
  if (refusal !== undefined) return fail(call, refusal)
  if (open.kind === 'pipe') return fail(call, STATUS.noMemory)
  if (open.node.type === 'directory') return fail(call, STATUS.invalidDeviceRequest)
  if (elements[0]!.flags === UNLOCK) return unlock(call, open, elements)
  if ((open.access & READ_OR_WRITE) === 0) return fail(call, STATUS.invalidHandle)
  return take(call, open, elements)
}

function readElements(message: Buffer, count: number): readonly Element[] {
  const fields = reader(message.subarray(HEADER_BYTES + 24))
  return Array.from({ length: count }, () => {
    const [offset, length, flags] = [fields.u64(), fields.u64(), fields.u32()]
    fields.skip(4)
    return { offset, length, flags, isExclusive: (flags & EXCLUSIVE) !== 0 }
  })
}

/** The first says whether all lock or unlock. */
function checkElements(elements: readonly Element[]): number | undefined {
  const isUnlocking = (elements[0]!.flags & UNLOCK) !== 0 && elements[0]!.flags === UNLOCK
  for (const { flags, offset, length } of elements) {
    const isLock =
      flags === SHARED ||
      flags === EXCLUSIVE ||
      flags === (SHARED | AT_ONCE) ||
      flags === (EXCLUSIVE | AT_ONCE)
    if (isUnlocking ? flags !== UNLOCK : !isLock) return STATUS.invalidParameter
    if (!isUnlocking && elements.length > 1 && (flags & AT_ONCE) === 0) return STATUS.invalidParameter
    if (!isUnlocking && length > 0n && offset + length - 1n >= 2n ** 64n) return STATUS.invalidLockRange
  }
  return undefined
}

function unlock(call: TreeCall, open: OpenFile, elements: readonly Element[]): Outcome {
  let { locks } = open
  for (const { offset, length } of elements) {
    const at = locks.findIndex((each) => each.offset === offset && each.length === length)
    if (at < 0) return fail({ state: withLocks(call, open, locks) }, STATUS.rangeNotLocked)
    locks = locks.toSpliced(at, 1)
  }
  const { state, finished } = retry(withLocks(call, open, locks))
  return succeed(state, emptyBody(), { finished })
}

const withLocks = (call: TreeCall, open: OpenFile, locks: readonly Lock[]): SambaState =>
  replaceSession(call, withOpen(call.session, { ...open, locks }))

function take(call: TreeCall, open: OpenFile, elements: readonly Element[]): Outcome {
  const locks = [...open.locks]
  for (const element of elements) {
    const wanted: Lock = { offset: element.offset, length: element.length, isExclusive: element.isExclusive }
    if (conflicts(call.state, { ...open, locks }, wanted, true) || locks.length >= MOST_LOCKS) {
      if (element.flags & AT_ONCE) return fail(call, STATUS.lockNotGranted)
      return { ...fail(call, STATUS.pending), waits: { kind: 'lock', lock: wanted }, fileId: open.id }
    }
    locks.push(wanted)
  }
  return succeed(withLocks(call, open, locks), emptyBody())
}

const overlaps = (a: Lock, b: Lock): boolean => {
  if (a.length === 0n || b.length === 0n) return false
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length
}

/** Whether a lock stands against another one. `amongOwn`: the open's own ones count. */
function conflicts(state: SambaState, open: OpenFile, wanted: Lock, amongOwn: boolean): boolean {
  return opensOf(state).some((each) => {
    if (each.kind !== 'file' || each.node.id !== open.node.id) return false
    const isOwn = each.id.equals(open.id)
    const held = isOwn ? open.locks : each.locks
    return held.some((one) => {
      if (!overlaps(one, wanted) || (!one.isExclusive && !wanted.isExclusive)) return false
      return !isOwn || (amongOwn && (one.isExclusive || wanted.isExclusive))
    })
  })
}

/** Whether another open's lock stands against reading. */
export const isLockedFor = ({ state }: TreeCall, open: OpenFile, range: Lock): boolean =>
  conflicts(state, open, range, false)

/** Grants what waited for a lock that went. */
function retry(before: SambaState): { readonly state: SambaState; readonly finished: readonly Finished[] } {
  let state = before
  const finished: Finished[] = []
  for (const [asyncId, request] of before.waiting) {
    const session = state.sessions.get(request.sessionId)
    const open = session?.opens.get(request.fileId)
    if (request.for.kind !== 'lock' || !session || open?.kind !== 'file') continue
    const { lock: wanted } = request.for
    if (conflicts(state, open, wanted, true)) continue
    const waiting = new Map(state.waiting)
    waiting.delete(asyncId)
    state = { ...withSession(state, withOpen(session, { ...open, locks: [...open.locks, wanted] })), waiting }
    finished.push({ asyncId, request, status: STATUS.success, body: emptyBody() })
  }
  return { state, finished }
}
