// What an RPC interface behind a pipe of Samba looks at: its machine.
import { contextHandles } from '../../../protocol/pipes/handles.ts'
import { answerTo } from '../../../protocol/pipes/ndr.ts'
import { FAULT } from '../../../protocol/pipes/rpc.ts'
import type * as shared from '../../../protocol/pipes/rpc.ts'
import type { SambaMachine } from '../machine.ts'

export type RpcInterface = shared.RpcInterface<SambaMachine>
export type RpcCall = shared.RpcCall<SambaMachine>
export type Operation = shared.Operation<SambaMachine>

export const { newHandle, onHandle, closeHandle, openPolicy } = contextHandles<SambaMachine>({
  most: 64,
  tooShort: FAULT.badStub,
  unknown: FAULT.contextMismatch,
  answerTo,
})
