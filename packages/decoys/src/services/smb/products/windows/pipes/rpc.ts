// What an RPC interface behind a pipe of Windows looks at: its machine.
import type { Machine } from '../machine.ts'
import { contextHandles } from '../../../protocol/pipes/handles.ts'
import { ndrWriter, type NdrWriter } from '../../../protocol/pipes/ndr.ts'
import { FAULT } from '../../../protocol/pipes/rpc.ts'
import type * as shared from '../../../protocol/pipes/rpc.ts'

export type RpcInterface = shared.RpcInterface<Machine>
export type RpcCall = shared.RpcCall<Machine>
export type Operation = shared.Operation<Machine>

/** The pointers of every stub begin anew. */
export const answerTo = (): NdrWriter => ndrWriter()

export const { newHandle, onHandle, closeHandle, openPolicy } = contextHandles<Machine>({
  most: 16,
  tooShort: FAULT.contextMismatch,
  unknown: FAULT.contextMismatch,
  answerTo,
})
