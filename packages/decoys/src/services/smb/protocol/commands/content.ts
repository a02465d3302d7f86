// What READ gives of a file, and what all get who want to change one.
import { fail, succeed, type TreeCall } from '../call.ts'
import { writeRead } from '../codec/file-requests.ts'
import { STATUS } from '../codec/status.ts'
import { fileEvent } from '../events.ts'
import { withOpen, type OpenFile, type Product } from '../state.ts'

interface Range {
  readonly from: number
  readonly length: number
  /** With less than this, nothing is read. */
  readonly minimum: number
}

/** The first time that an open is read raises an event. */
export function readContent<P extends Product>(
  call: TreeCall<P>,
  open: OpenFile<P>,
  { from, length, minimum }: Range,
) {
  const { node } = open
  if (node.type !== 'file') return fail(call, STATUS.invalidDeviceRequest)
  const content = call.config.contentOf(node, call.context.derive).read(from, length)
  if ((content.length === 0 && length > 0) || content.length < minimum) return fail(call, STATUS.endOfFile)
  if (open.wasRead) return succeed(call.state, writeRead(content))
  const { path } = node
  const touch = fileEvent(call, { path, action: 'read', mode: 'r', offset: from, size: content.length })
  const session = withOpen(call.session, { ...open, wasRead: true })
  const state = { ...call.state, sessions: new Map(call.state.sessions).set(session.id, session) }
  return succeed(state, writeRead(content), { events: [touch] })
}

/** `size`: of the file, or of what was to be written at `offset`. */
export const refuseChange = <P extends Product>(
  call: TreeCall<P>,
  { path, size, offset = 0 }: { readonly path: string; readonly size: number; readonly offset?: number },
) => {
  const status = STATUS.accessDenied
  return fail(call, status, {
    events: [fileEvent(call, { path, action: 'write', mode: 'w', offset, size, status })],
  })
}
