// Context handles of 20 bytes, which a pipe gives out and takes back.
import { join, u32, zeros } from '../../../../windows/fields.ts'
import { STATUS } from '../codec/status.ts'
import { ndrReader, ndrWriter, type NdrReader, type NdrWriter } from './ndr.ts'
import type { Handles, Operation, RpcAnswer, RpcCall } from './rpc.ts'

export const HANDLE_BYTES = 20

interface HandleRules {
  /** How many a pipe gives out. */
  readonly most: number
  /** The fault of a stub that is too short for a handle, and of one whose handle is not known. */
  readonly tooShort: number
  readonly unknown: number
  readonly answerTo: (from: NdrReader) => NdrWriter
}

export function contextHandles<Machine>({ most, tooShort, unknown, answerTo }: HandleRules) {
  /** An operation on a handle of that meaning; `from` stands behind it. */
  const onHandle =
    (
      isMeant: (meaning: string) => boolean,
      act: (rpc: RpcCall<Machine>, from: NdrReader, meaning: string) => RpcAnswer,
    ): Operation<Machine> =>
    (rpc) => {
      if (rpc.stub.length < HANDLE_BYTES) return { fault: tooShort }
      const meaning = rpc.handles.get(rpc.stub.toString('hex', 0, HANDLE_BYTES))
      if (meaning === undefined || !isMeant(meaning)) return { fault: unknown }
      const from = ndrReader(rpc.stub)
      from.bytes(HANDLE_BYTES)
      return act(rpc, from, meaning)
    }

  /** The handle, and all that the pipe knows with it; undefined when it knows too many. `type`: its first field. */
  const newHandle = (
    { call, handles }: RpcCall<Machine>,
    meaning: string,
    type = 0,
  ): { readonly handle: Buffer; readonly handles: Handles } | undefined => {
    if (handles.size >= most) return undefined
    const handle = join(u32(type), call.context.random(16))
    return { handle, handles: new Map(handles).set(handle.toString('hex'), meaning) }
  }

  return {
    onHandle,
    newHandle,
    /** LsarOpenPolicy and LsarOpenPolicy2 ([MS-LSAD] 3.1.4.4): the rights that everybody has are granted. */
    openPolicy:
      (type: number): Operation<Machine> =>
      (rpc) => {
        const made = newHandle(rpc, 'policy', type)
        const to = ndrWriter()
        to.bytes(made?.handle ?? zeros(HANDLE_BYTES), 4)
        to.u32(made ? STATUS.success : STATUS.insufficientResources)
        return { stub: to.done(), ...(made && { handles: made.handles }) }
      },
    /** Answers the handle as zeros, and forgets it. */
    closeHandle: onHandle(
      () => true,
      ({ stub, handles }, from) => {
        const to = answerTo(from)
        to.bytes(zeros(HANDLE_BYTES), 4)
        to.u32(STATUS.success)
        const hex = stub.toString('hex', 0, HANDLE_BYTES)
        return { stub: to.done(), handles: new Map([...handles].filter(([each]) => each !== hex)) }
      },
    ),
  }
}
