// Context handles of 20 bytes, which a pipe gives out and takes back.
import { join, u32, zeros } from '../../../../../windows/fields.ts'
import { FAULT } from '../../../protocol/pipes/rpc.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { answerTo, requestReader, type Request } from './ndr-answer.ts'
import type { Operation, RpcAnswer, RpcCall } from './rpc.ts'

export const HANDLE_BYTES = 20
const MAX_HANDLES = 64

/** The handle, and all that the pipe knows with it; undefined when it knows too many. `type`: its first field. */
export function newHandle(
  { call, handles }: RpcCall,
  meaning: string,
  type = 0,
): { readonly handle: Buffer; readonly handles: ReadonlyMap<string, string> } | undefined {
  if (handles.size >= MAX_HANDLES) return undefined
  const handle = join(u32(type), call.context.random(16))
  return { handle, handles: new Map(handles).set(handle.toString('hex'), meaning) }
}

/** An operation on a handle of that meaning; `from` stands behind it. */
export const onHandle =
  (
    isMeant: (meaning: string) => boolean,
    act: (rpc: RpcCall, from: Request, meaning: string) => RpcAnswer,
  ): Operation =>
  (rpc) => {
    const meaning = rpc.handles.get(rpc.stub.toString('hex', 0, HANDLE_BYTES))
    if (rpc.stub.length < HANDLE_BYTES) return { fault: FAULT.badStub }
    if (meaning === undefined || !isMeant(meaning)) return { fault: FAULT.contextMismatch }
    const from = requestReader(rpc.stub)
    from.bytes(HANDLE_BYTES)
    return act(rpc, from, meaning)
  }

/** Answers the handle as zeros, and forgets it. */
export const closeHandle = onHandle(
  () => true,
  ({ stub, handles }, from) => {
    const to = answerTo(from)
    to.bytes(zeros(HANDLE_BYTES), 4)
    to.u32(STATUS.success)
    const hex = stub.toString('hex', 0, HANDLE_BYTES)
    return { stub: to.done(), handles: new Map([...handles].filter(([each]) => each !== hex)) }
  },
)
