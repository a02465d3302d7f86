// ECHO and FLUSH.
import { emptyBody } from '../../../protocol/codec/messages.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { fail, succeed } from '../../../protocol/call.ts'
import { openOf, type Call, type Outcome, type TreeCall } from '../call.ts'
import { bodyOf } from '../codec.ts'
import { fileIdOf } from '../../../protocol/codec/file-id.ts'

export const echo = (call: Call): Outcome =>
  bodyOf(call.message, 4) ? succeed(call.state, emptyBody()) : fail(call, STATUS.invalidParameter)

/** Nobody may write, so that there is nothing to flush. */
export function flush(call: TreeCall): Outcome {
  const body = bodyOf(call.message, 24)
  if (!body) return fail(call, STATUS.invalidParameter)
  body.fields.skip(6)
  const open = openOf(call, fileIdOf(body.fields.bytes(16)))
  if (!open) return fail(call, STATUS.fileClosed)
  return fail(call, open.kind === 'pipe' ? STATUS.notImplemented : STATUS.accessDenied)
}
