// Whether a file may be opened now, later or not at all, and what its opener is granted: `delay_for_oplock` of Samba.
import { breakOpen, cachingOf, expire, meaningOf } from './breaks.ts'
import {
  CACHING,
  leaseId,
  OPLOCK,
  type Connection,
  type Lease,
  type SharedFiles,
  type SharedFile,
  type SharedOpen,
} from './locking.ts'

export interface LeaseRequest {
  readonly client: string
  /** In hex. */
  readonly key: string
  readonly version: 1 | 2
  readonly state: number
  readonly epoch: number
}

export interface OpenRequest {
  readonly file: SharedFile
  readonly isFolder: boolean
  readonly access: number
  readonly share: number
  readonly connection: Connection
  /** What was asked for, one of `OPLOCK`. */
  readonly oplock: number
  readonly lease: LeaseRequest | undefined
}

export interface Grant {
  readonly oplock: number
  readonly lease: Lease | undefined
}

/** `waits`: for a break to be acknowledged. */
export type Admission = 'violation' | 'waits' | Grant

const READING = 0x1 | 0x20
const SHARE_READ = 1
/** To read and write attributes, and to wait. */
const ATTRIBUTES = 0x00100180
const READ_CONTROL = 0x20000

/** Whether it touches no content, so that no oplock stands in its way. No right at all counts as one to content. */
const isForAttributes = (access: number): boolean => access !== 0 && (access & ~ATTRIBUTES) === 0
/** Past leases even the owner may be read. */
const passesLeases = (access: number): boolean =>
  access !== 0 && (access & ~(ATTRIBUTES | READ_CONTROL)) === 0

/** Sends the breaks that it needs. */
export function admit(locking: SharedFiles, request: OpenRequest, now: number): Admission {
  const { file, access, isFolder } = request
  expire(locking, file, now)
  const isViolation = excludes(request)
  if (isFolder) return isViolation ? 'violation' : { oplock: OPLOCK.none, lease: undefined }
  const isPassing = isForAttributes(access)
  const others = file.opens.filter(({ lease }) => !isSame(lease, request.lease))
  if (!isPassing && breakThose(locking, others, request, isViolation ? CACHING.handle : CACHING.write, now))
    return 'waits'
  if (isViolation) return 'violation'
  return grantOf(locking, request, isPassing ? [] : others)
}

const isSame = (lease: Lease | undefined, request: LeaseRequest | undefined): boolean =>
  lease !== undefined && request?.key === lease.key && request.client === lease.client

/** Both read, and one does not let others. */
const excludes = ({ file, access, share }: OpenRequest): boolean =>
  (access & READING) !== 0 &&
  file.opens.some(
    (open) =>
      (open.access & READING) !== 0 && ((open.share & SHARE_READ) === 0 || (share & SHARE_READ) === 0),
  )

/** Breaks what others hold of these bits. Whether one of them is to be waited for. */
function breakThose(
  locking: SharedFiles,
  others: readonly SharedOpen[],
  { access }: OpenRequest,
  bits: number,
  now: number,
): boolean {
  let mustWait = false
  for (const open of others) {
    if (open.lease && passesLeases(access)) continue
    const holds = cachingOf(open)
    if ((holds & bits) === 0) mustWait ||= open.lease?.break !== undefined
    else {
      breakOpen(locking, open, holds & ~bits, now)
      mustWait = true
    }
  }
  return mustWait
}

/** It must let its holder read or write, and writing alone or with handles is none. Bits that mean nothing pass. */
const isLease = (state: number): boolean =>
  (state & (CACHING.read | CACHING.write)) !== 0 &&
  state !== CACHING.write &&
  state !== (CACHING.write | CACHING.handle)

function grantOf(locking: SharedFiles, request: OpenRequest, others: readonly SharedOpen[]): Grant {
  const { file, lease, oplock } = request
  // Of locked bytes nobody may keep a copy.
  const withoutLocked = file.opens.some(({ locks }) => locks.length > 0) ? ~CACHING.read : ~0
  const withoutWriting = others.length > 0 ? ~CACHING.write : ~0
  if (lease) {
    const withoutHandle = others.some((open) => !open.lease) ? ~CACHING.handle : ~0
    const wanted = isLease(lease.state) ? lease.state : 0
    const state = (wanted & withoutLocked & withoutWriting & withoutHandle) >>> 0
    return { oplock: OPLOCK.lease, lease: grantedLease(locking, file, lease, state) }
  }
  if (isForAttributes(request.access)) return { oplock: OPLOCK.none, lease: undefined }
  const hasHandle = others.some((open) => cachingOf(open) & CACHING.handle)
  const granted = hasHandle ? 0 : meaningOf(oplock) & withoutLocked & withoutWriting
  return { oplock: levelOf(granted), lease: undefined }
}

/** Oplocks have no word for handles without writing. */
function levelOf(granted: number): number {
  if ((granted & CACHING.read) === 0) return OPLOCK.none
  if ((granted & CACHING.write) === 0) return OPLOCK.shared
  return granted & CACHING.handle ? OPLOCK.batch : OPLOCK.exclusive
}

/** One that the client has is raised if all that was asked for can be granted, and nothing of it is given up. */
function grantedLease(
  { leases }: SharedFiles,
  file: SharedFile,
  { client, key, version, epoch, state: wanted }: LeaseRequest,
  granted: number,
): Lease {
  const known = leases.get(leaseId(client, key))
  if (!known)
    return {
      client,
      key,
      file,
      version,
      state: granted,
      epoch: version === 2 ? epoch + 1 : 0,
      break: undefined,
    }
  const isRise = (known.state & ~wanted) === 0 && granted !== known.state && granted === wanted
  if (isRise && !known.break) {
    known.state = granted
    known.epoch += 1
  }
  return known
}
