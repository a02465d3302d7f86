// Handles of samr: of the server, a domain, a user, a group.
import { zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { HANDLE_BYTES } from '../../../protocol/pipes/handles.ts'
import { answerTo, type NdrReader } from '../../../protocol/pipes/ndr.ts'
import type { RpcAnswer } from '../../../protocol/pipes/rpc.ts'
import { newHandle, onHandle, type Operation, type RpcCall } from './rpc.ts'

/** The first field of a handle says of what it is. */
const TYPES = { server: 0, domain: 1, user: 2, group: 3 } as const
export type Kind = keyof typeof TYPES

export interface Place {
  readonly isBuiltin: boolean
  readonly rid: number
}

/** `domain own`, `domain builtin`, `user 1000`. */
const meaningOf = (kind: Kind, { isBuiltin, rid }: Place): string =>
  kind === 'domain' ? `domain ${isBuiltin ? 'builtin' : 'own'}` : `${kind} ${rid}`

/**
 * An operation on a handle of this kind. One of another kind is answered with so many empty fields of four bytes, and
 * STATUS_INVALID_HANDLE; one that the pipe did not give is a fault.
 */
export const onKind = (
  kind: Kind,
  emptyFields: number,
  act: (rpc: RpcCall, from: NdrReader, place: Place) => RpcAnswer,
): Operation =>
  onHandle(
    () => true,
    (rpc, from, meaning) => {
      const [given, which] = meaning.split(' ')
      if (given === kind) return act(rpc, from, { isBuiltin: which === 'builtin', rid: Number(which) })
      const to = answerTo(from)
      to.bytes(zeros(4 * emptyFields), 4)
      to.u32(STATUS.invalidHandle)
      return { stub: to.done() }
    },
  )

/** A new handle, or zeros and the status that says why not. */
export function openedAs(
  rpc: RpcCall,
  from: NdrReader,
  kind: Kind,
  place: Place,
  status: number = STATUS.success,
): RpcAnswer {
  const made = status === STATUS.success ? newHandle(rpc, meaningOf(kind, place), TYPES[kind]) : undefined
  const to = answerTo(from)
  to.bytes(made?.handle ?? zeros(HANDLE_BYTES), 4)
  to.u32(made ? STATUS.success : status === STATUS.success ? STATUS.insufficientResources : status)
  return { stub: to.done(), ...(made && { handles: made.handles }) }
}
