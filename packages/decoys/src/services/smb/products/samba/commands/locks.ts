// LOCK: ranges of bytes, as the opens of all connections hold them.
import { reader } from '../../../../../windows/fields.ts'
import { emptyBody } from '../../../protocol/codec/messages.ts'
import { HEADER_BYTES } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { openOf, type Call, type Outcome, type TreeCall } from '../call.ts'
import { bodyOf } from '../codec.ts'
import { breakForLock } from '../locking/breaks.ts'
import { notify, waitForFile, type Lock, type SharedOpen } from '../locking/locking.ts'
import type { OpenFile, PendingRequest } from '../state.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'

const SHARED = 0x01
const EXCLUSIVE = 0x02
const UNLOCK = 0x04
const AT_ONCE = 0x10
const LOCK_BYTES = 24
const MAX_LOCKS = 64
const READ_OR_WRITE = 0x3 | 0x20

interface Element extends Lock {
  readonly flags: number
}

export function lock(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 48)
  if (!body) return fail(call, STATUS.invalidParameter)
  const count = body.fields.u16()
  body.fields.skip(4)
  const id = fileIdOf(body.fields.bytes(16))
  if (count === 0 || body.dynamic.length < (count - 1) * LOCK_BYTES)
    return fail(call, STATUS.invalidParameter)
  const open = openOf(call, id)
  if (!open) return fail(call, STATUS.fileClosed)
  const elements = readElements(call.message, Math.min(count, MAX_LOCKS))
  const refusal = checkElements(elements)
  if (refusal !== undefined) return fail(call, refusal)
  if (open.kind === 'pipe') return fail(call, STATUS.noMemory)
  if (open.node.type === 'directory') return fail(call, STATUS.invalidDeviceRequest)
  if (elements[0]!.flags === UNLOCK) return unlock(call, open, elements)
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

function unlock(call: TreeCall, { shared }: OpenFile, elements: readonly Element[]): Outcome {
  const { locking } = call.config
  for (const { offset, length } of elements) {
    const at = shared.locks.findIndex((each) => each.offset === offset && each.length === length)
    if (at < 0) return fail(call, STATUS.rangeNotLocked)
    shared.locks = shared.locks.toSpliced(at, 1)
    notify(locking, shared.file)
  }
  return succeed(call.state, emptyBody())
}

function take(call: TreeCall, open: OpenFile, elements: readonly Element[]): Outcome {
  const { id, shared } = open
  const before = shared.locks
  for (const { offset, length, isExclusive, flags } of elements) {
    const wanted: Lock = { offset, length, isExclusive }
    const status = takeOne(call, open, wanted)
    if (status === STATUS.success) continue
    shared.locks = before
    if (status !== STATUS.lockNotGranted || flags & AT_ONCE) return fail(call, status)
    const { file } = shared
    if (!waitForFile(call.config.locking, file, call.state.connection))
      return fail(call, STATUS.insufficientResources)
    return { ...fail(call, STATUS.pending), waits: { kind: 'lock', lock: wanted, file: file.id }, fileId: id }
  }
  return succeed(call.state, emptyBody())
}

type Place = Pick<Call, 'config' | 'state' | 'context'>

/** Takes it, or says what is in the way: another lock, or an open that has no descriptor, which Samba notices late. */
function takeOne({ config, context }: Place, { access, shared }: OpenFile, wanted: Lock): number {
  if (conflicts(shared, wanted, true) || shared.locks.length >= MAX_LOCKS) return STATUS.lockNotGranted
  breakForLock(config.locking, shared, context.now())
  if ((access & READ_OR_WRITE) === 0 && isForSystem(wanted)) return STATUS.invalidHandle
  shared.locks = [...shared.locks, wanted]
  return STATUS.success
}

/** Whether the system can hold it: it has signed offsets, and no ranges without bytes. */
const isForSystem = ({ offset, length }: Lock): boolean => length > 0n && offset < 2n ** 63n

const overlaps = (a: Lock, b: Lock): boolean => {
  if (a.length === 0n || b.length === 0n) return false
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length
}

/** Whether a lock stands against another one. `amongOwn`: the open's own ones count. */
function conflicts(own: SharedOpen, wanted: Lock, amongOwn: boolean): boolean {
  const isAgainst = (held: Lock): boolean =>
    overlaps(held, wanted) && (held.isExclusive || wanted.isExclusive)
  // A shared lock may lie on top of the open's own exclusive one.
  if (amongOwn && wanted.isExclusive && own.locks.some(isAgainst)) return true
  return own.file.opens.some((each) => each !== own && each.locks.some(isAgainst))
}

/** Whether another open's lock stands against reading. */
export const isLockedFor = ({ shared }: OpenFile, range: Lock): boolean => conflicts(shared, range, false)

/** What becomes of a lock that waited; undefined while something still stands against it. */
export function takeWaiting(
  place: Place,
  { sessionId, fileId }: PendingRequest,
  wanted: Lock,
): number | undefined {
  const open = place.state.sessions.get(sessionId)?.opens.get(fileId)
  if (open?.kind !== 'file') return undefined
  const status = takeOne(place, open, wanted)
  if (status !== STATUS.lockNotGranted) return status
  const mayWait = waitForFile(place.config.locking, open.shared.file, place.state.connection)
  return mayWait ? undefined : STATUS.insufficientResources
}
