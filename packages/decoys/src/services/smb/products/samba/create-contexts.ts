// The contexts of CREATE: what Samba takes for well formed, and what it answers.
import { join, u16, u32, u64, zeros } from '../../../../windows/fields.ts'
import { DIALECT } from '../../codec/dialect.ts'
import { STATUS } from '../../codec/status.ts'
import type { TreeNode } from '../../tree/tree.ts'
import { FILE_ACCESS, FOLDER_ACCESS } from './access.ts'
import type { CreateRequest } from './create-request.ts'
import type { SambaMachine } from './machine.ts'
import type { Open } from './state.ts'

type Contexts = ReadonlyMap<string, Buffer>

/** How long each may be. Others are passed over. */
const LENGTHS: Readonly<Record<string, (length: number) => boolean>> = {
  MxAc: (length) => length === 0 || length === 8,
  QFid: (length) => length === 0,
  DHnQ: (length) => length === 16,
  DHnC: (length) => length === 16,
  DH2Q: (length) => length === 32,
  DH2C: (length) => length === 36,
  TWrp: (length) => length === 8,
  AlSi: (length) => length === 8,
  RqLs: (length) => length === 32 || length === 52,
  ExtA: (length) => length >= 9,
  SecD: (length) => length >= 20,
}

/** By name, or why they are refused. */
export function checkContexts(contexts: CreateRequest['contexts'], dialect: number): Contexts | number {
  const known = new Map<string, Buffer>()
  for (const [name, content] of contexts) {
    if (LENGTHS[name]?.(content.length) === false) return STATUS.invalidParameter
    if (!known.has(name)) known.set(name, content)
  }
  const isLeaseKnown = dialect >= (known.get('RqLs')?.length === LEASE_V2_BYTES ? DIALECT.v300 : DIALECT.v210)
  if (!isLeaseKnown) known.delete('RqLs')
  return known
}

const OPLOCK = { none: 0, shared: 1, exclusive: 8, batch: 9, lease: 0xff } as const
const LEASE_V2_BYTES = 52

/** A lease belongs to one file. */
export function isLeaseElsewhere(
  { oplockLevel }: CreateRequest,
  contexts: Contexts,
  found: TreeNode | 'no-name',
  opens: readonly Open[],
): boolean {
  const key = contexts.get('RqLs')?.toString('hex', 0, 16)
  if (key === undefined || oplockLevel !== OPLOCK.lease) return false
  const id = found === 'no-name' ? undefined : found.id
  return opens.some((open) => open.kind === 'file' && open.lease === key && open.node.id !== id)
}

export interface Granted {
  readonly oplock: number
  readonly lease: string | undefined
  readonly answers: readonly (readonly [name: string, content: Buffer])[]
}

interface About {
  readonly node: TreeNode
  readonly access: number
  readonly machine: SambaMachine
  readonly opens: readonly Open[]
}

const CACHING = { read: 1, handle: 2, write: 4 } as const
/** READ alone, with HANDLE, with WRITE, and all three. */
const LEASES = new Set([1, 3, 5, 7])
/** No right at all counts as one to content. */
const touchesContent = (access: number): boolean => access === 0 || (access & ~0x00100180) !== 0

export function answersTo(contexts: Contexts, { oplockLevel }: CreateRequest, about: About): Granted {
  const { node, access, machine } = about
  const request = contexts.get('RqLs')
  const isCached = node.type === 'file' && touchesContent(access)
  const hasLease = oplockLevel === OPLOCK.lease && request !== undefined && node.type === 'file'
  const state = hasLease && isCached ? leaseState(request, about) : 0
  const oplock = hasLease ? OPLOCK.lease : isCached ? grantedOplock(oplockLevel, about) : OPLOCK.none
  const isDurable = oplock === OPLOCK.batch || (hasLease && (state & CACHING.handle) !== 0)
  const answers: (readonly [string, Buffer])[] = []
  if (contexts.has('MxAc'))
    answers.push(['MxAc', join(u32(0), u32(node.type === 'file' ? FILE_ACCESS : FOLDER_ACCESS))])
  if (contexts.has('DHnQ') && isDurable && !contexts.has('DH2Q')) answers.push(['DHnQ', zeros(8)])
  if (contexts.has('DH2Q') && isDurable) answers.push(['DH2Q', join(u32(DURABLE_MS), u32(0))])
  if (contexts.has('QFid')) answers.push(['QFid', join(u64(node.id), u64(machine.device), zeros(16))])
  if (hasLease) answers.push(['RqLs', leaseAnswer(request, state)])
  return { oplock, lease: hasLease ? request.toString('hex', 0, 16) : undefined, answers }
}

const DURABLE_MS = 60_000

/** Others that have the file open leave no more than reading. */
const isAlone = ({ node, opens }: About, lease?: string): boolean =>
  !opens.some(
    (open) =>
      open.kind === 'file' &&
      open.node.id === node.id &&
      touchesContent(open.access) &&
      (lease === undefined || open.lease !== lease),
  )

function grantedOplock(level: number, about: About): number {
  if (level !== OPLOCK.shared && level !== OPLOCK.exclusive && level !== OPLOCK.batch) return OPLOCK.none
  return isAlone(about) ? level : OPLOCK.shared
}

function leaseState(request: Buffer, about: About): number {
  const wanted = request.readUInt32LE(16) & 7
  const valid = LEASES.has(wanted) ? wanted : 0
  return isAlone(about, request.toString('hex', 0, 16)) ? valid : valid & ~CACHING.write
}

/** Version 1 has 32 bytes, version 2 in addition a parent and an epoch, which grows. */
function leaseAnswer(request: Buffer, state: number): Buffer {
  const first = join(request.subarray(0, 16), u32(state), zeros(12))
  return request.length === 32 ? first : join(first, zeros(16), u16(request.readUInt16LE(48) + 1), u16(0))
}
