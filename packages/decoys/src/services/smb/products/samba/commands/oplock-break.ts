// OPLOCK_BREAK: a client acknowledges that an oplock or a lease was broken.
import { join, u16, u32, u64, u8 } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { openOf, type Outcome, type TreeCall } from '../call.ts'
import { bodyOf } from '../codec.ts'
import { acknowledgeLease, acknowledgeOplock } from '../locking/breaks.ts'
import { leaseId } from '../locking/locking.ts'
import { fileIdBytes, fileIdOf } from '../../../protocol/codec/file-id.ts'

const OPLOCK_BYTES = 24
const LEASE_BYTES = 36

export function oplockBreak(call: TreeCall): Outcome {
  const lease = bodyOf(call.message, LEASE_BYTES)
  if (lease) {
    lease.fields.skip(6)
    return leaseBreak(call, lease.fields.bytes(16), lease.fields.u32())
  }
  const body = bodyOf(call.message, OPLOCK_BYTES)
  if (!body) return fail(call, STATUS.invalidParameter)
  const level = body.fields.u8()
  body.fields.skip(5)
  const open = openOf(call, fileIdOf(body.fields.bytes(16)))
  if (!open) return fail(call, STATUS.fileClosed)
  if (open.kind === 'pipe') return fail(call, STATUS.invalidOplockProtocol)
  const status = acknowledgeOplock(call.config.locking, open.shared, level, call.context.now())
  if (status !== STATUS.success) return fail(call, status)
  return succeed(call.state, join(u16(OPLOCK_BYTES), u8(level), u8(0), u32(0), fileIdBytes(open.id)))
}

/** By any connection of the client that has the lease. */
function leaseBreak(call: TreeCall, key: Buffer, state: number): Outcome {
  const { config, context, state: before } = call
  const { client, hasLeases } = before.connection
  const lease =
    client === undefined ? undefined : config.locking.leases.get(leaseId(client, key.toString('hex')))
  if (!lease) return fail(call, STATUS.objectNameNotFound)
  if (!hasLeases) return fail(call, STATUS.notFound)
  const status = acknowledgeLease(config.locking, lease, state, context.now())
  if (status !== STATUS.success) return fail(call, status)
  return succeed(before, join(u16(LEASE_BYTES), u16(0), u32(0), key, u32(state), u64(0)))
}
