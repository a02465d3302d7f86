// The contexts of CREATE: what Samba takes for well formed, and what it answers.
import { byWord } from '@rookery/kernel/by-word.ts'
import { join, u16, u32, u64, zeros } from '../../../../../windows/fields.ts'
import { DIALECT } from '../../../protocol/codec/dialect.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import type { TreeNode } from '../../../protocol/tree/tree.ts'
import { FILE_ACCESS, FOLDER_ACCESS } from '../files/access.ts'
import type { CreateRequest } from './create-request.ts'
import type { SambaMachine } from '../machine.ts'
import { CACHING, leaseId, OPLOCK, type Lease, type SharedFiles } from '../locking/locking.ts'
import type { Grant, LeaseRequest } from '../locking/admit.ts'

type Contexts = ReadonlyMap<string, Buffer>

/** How long each may be. Others are passed over. */
const LENGTHS = byWord<(length: number) => boolean>({
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
})

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

const LEASE_V2_BYTES = 52

/** What is asked for in the context of a lease, which counts with the level that stands for one, and for files. */
export function leaseRequest(
  { oplockLevel }: CreateRequest,
  contexts: Contexts,
  client: string | undefined,
): LeaseRequest | undefined {
  const request = contexts.get('RqLs')
  if (!request || client === undefined || oplockLevel !== OPLOCK.lease) return undefined
  const isNewer = request.length === LEASE_V2_BYTES
  return {
    client,
    key: request.toString('hex', 0, 16),
    version: isNewer ? 2 : 1,
    state: request.readUInt32LE(16),
    epoch: isNewer ? request.readUInt16LE(48) : 0,
  }
}

/** A lease belongs to one file. */
export function isLeaseElsewhere(
  request: LeaseRequest | undefined,
  found: TreeNode | 'no-name',
  { leases }: SharedFiles,
): boolean {
  const lease = request && leases.get(leaseId(request.client, request.key))
  return lease !== undefined && (found === 'no-name' || found.id !== lease.file.id)
}

const DURABLE_MS = 60_000

export function answersTo(
  contexts: Contexts,
  {
    node,
    machine,
    grant,
  }: { readonly node: TreeNode; readonly machine: SambaMachine; readonly grant: Grant },
): readonly (readonly [name: string, content: Buffer])[] {
  const { oplock, lease } = grant
  const isDurable = oplock === OPLOCK.batch || (lease !== undefined && (lease.state & CACHING.handle) !== 0)
  const answers: (readonly [string, Buffer])[] = []
  if (contexts.has('MxAc'))
    answers.push(['MxAc', join(u32(0), u32(node.type === 'file' ? FILE_ACCESS : FOLDER_ACCESS))])
  if (contexts.has('DHnQ') && isDurable && !contexts.has('DH2Q')) answers.push(['DHnQ', zeros(8)])
  if (contexts.has('DH2Q') && isDurable) answers.push(['DH2Q', join(u32(DURABLE_MS), u32(0))])
  if (contexts.has('QFid')) answers.push(['QFid', join(u64(node.id), u64(machine.device), zeros(16))])
  if (lease) answers.push(['RqLs', leaseAnswer(lease)])
  return answers
}

const BREAKS = 2

/** Version 1 has 32 bytes, version 2 in addition a parent and an epoch, which grows. */
function leaseAnswer({ key, version, state, epoch, break: pending }: Lease): Buffer {
  const first = join(Buffer.from(key, 'hex'), u32(state), u32(pending ? BREAKS : 0), zeros(8))
  return version === 1 ? first : join(first, zeros(16), u16(epoch), u16(0))
}
