// Breaks of oplocks and leases: what is sent, what acknowledges it, and what becomes of those that nobody acknowledges.
import { join, u16, u32, u8, zeros } from '../../../../../windows/fields.ts'
import { encodeFrame } from '../../../protocol/codec/frame.ts'
import { COMMAND, FLAG, writeHeader } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import {
  CACHING,
  notify,
  OPLOCK,
  post,
  type Lease,
  type SharedFiles,
  type SharedFile,
  type SharedOpen,
} from './locking.ts'
import { fileIdBytes } from '../../../protocol/codec/file-id.ts'

/** 30 s, and 5 s for the way (`OPLOCK_BREAK_TIMEOUT` and its allowance). */
const BREAK_MS = 35_000
const EVERY_ID = 2n ** 64n - 1n

/** What an oplock lets its holder keep, in bits of a lease. */
const MEANING: Readonly<Record<number, number>> = {
  [OPLOCK.shared]: CACHING.read,
  [OPLOCK.exclusive]: CACHING.read | CACHING.write,
  [OPLOCK.batch]: CACHING.read | CACHING.write | CACHING.handle,
}
export const meaningOf = (oplock: number): number => MEANING[oplock] ?? 0
export const cachingOf = ({ lease, oplock }: SharedOpen): number => lease?.state ?? meaningOf(oplock)

/** Asks the holder of an open to go down to these bits. */
export function breakOpen(locking: SharedFiles, open: SharedOpen, to: number, now: number): void {
  if (open.lease) breakLease(locking, open.lease, to, now)
  else breakOplock(open, to & CACHING.read ? OPLOCK.shared : OPLOCK.none, now)
}

/** To level II, which is acknowledged, or from there to none, which is not. */
function breakOplock(open: SharedOpen, to: number, now: number): void {
  if (open.breaksUntil !== undefined || open.oplock === OPLOCK.none || open.oplock === to) return
  if (open.oplock === OPLOCK.shared) open.oplock = OPLOCK.none
  else open.breaksUntil = now + BREAK_MS
  const body = join(u16(24), u8(to), u8(0), u32(0), fileIdBytes(open.id))
  post(open.connection, unasked(open.sessionId, body))
}

function breakLease(locking: SharedFiles, lease: Lease, to: number, now: number): void {
  if (lease.break) {
    lease.break.required &= to
    return
  }
  const next = lease.state & to & SENT_BITS
  if (next === lease.state) return
  lease.epoch += 1
  send(locking, lease, next)
  if (isAcknowledged(lease.state)) lease.break = { requested: next, required: next, until: now + BREAK_MS }
  else lease.state = next
}

/** Of bits that mean nothing these many reach the holder of a lease. */
const SENT_BITS = 0xff
const KNOWN_BITS = 0xffff

/** Who only reads has nothing to give back. */
const isAcknowledged = (state: number): boolean => state !== CACHING.read

/** By the oldest connection of its client. */
function send({ clients }: SharedFiles, { client, key, state, version, epoch }: Lease, to: number): void {
  const [connection] = clients.get(client) ?? []
  const body = join(
    u16(44),
    u16(version === 2 ? epoch & 0xffff : 0),
    u32(isAcknowledged(state) ? 1 : 0),
    Buffer.from(key, 'hex'),
    u32(state & KNOWN_BITS),
    u32(to),
    zeros(12),
  )
  if (connection) post(connection, unasked(0n, body))
}

const unasked = (sessionId: bigint, body: Buffer): Buffer =>
  encodeFrame(
    join(
      writeHeader({
        creditCharge: 0,
        status: STATUS.success,
        command: COMMAND.oplockBreak,
        credits: 0,
        flags: FLAG.response,
        nextCommand: 0,
        messageId: EVERY_ID,
        asyncId: 0n,
        processId: 0,
        treeId: 0,
        sessionId,
      }),
      body,
    ),
  )

/** The status of an acknowledgement. */
export function acknowledgeOplock(
  locking: SharedFiles,
  open: SharedOpen,
  level: number,
  now: number,
): number {
  expire(locking, open.file, now)
  if (open.breaksUntil === undefined) return STATUS.invalidOplockProtocol
  if (level !== OPLOCK.none && level !== OPLOCK.shared) return STATUS.invalidParameter
  open.breaksUntil = undefined
  open.oplock = level
  notify(locking, open.file)
  return STATUS.success
}

/** A client that went down, but not as far as is needed by now, is asked again within the same time. */
export function acknowledgeLease(locking: SharedFiles, lease: Lease, state: number, now: number): number {
  expire(locking, lease.file, now)
  if (!lease.break) return STATUS.unsuccessful
  if ((state & ~lease.break.requested) !== 0) return STATUS.requestNotAccepted
  lease.state = state
  const { required } = lease.break
  if ((state & ~required) !== 0) {
    lease.break.requested = required
    send(locking, lease, required)
  } else lease.break = undefined
  notify(locking, lease.file)
  return STATUS.success
}

/** Who did not acknowledge in time has nothing left. */
export function expire(locking: SharedFiles, file: SharedFile, now: number): void {
  let isOver = false
  for (const open of file.opens) {
    const { lease } = open
    if (open.breaksUntil !== undefined && open.breaksUntil <= now) {
      open.breaksUntil = undefined
      open.oplock = OPLOCK.none
      isOver = true
    }
    if (lease?.break && lease.break.until <= now) {
      lease.break = undefined
      lease.state = 0
      isOver = true
    }
  }
  if (isOver) notify(locking, file)
}

/** When the time of the next break of the file is up. */
export function nextExpiry({ opens }: SharedFile): number {
  let at = Infinity
  for (const { breaksUntil = Infinity, lease } of opens)
    at = Math.min(at, breaksUntil, lease?.break?.until ?? Infinity)
  return at
}

/** A lock was taken: nobody else may go on with what was read ahead. Leases are broken before oplocks. */
export function breakForLock(locking: SharedFiles, own: SharedOpen, now: number): void {
  if (cachingOf(own) & CACHING.write) return
  const { opens } = own.file
  const others = opens.filter(
    (open) => (!open.lease || open.lease !== own.lease) && cachingOf(open) & CACHING.read,
  )
  for (const open of others) if (open.lease) breakOpen(locking, open, 0, now)
  for (const open of others) if (!open.lease) breakOpen(locking, open, 0, now)
}
