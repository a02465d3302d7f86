// The client of a pipe, as the operations behind it know it.
import type { TreeCall } from '../call.ts'
import { pipeEvent } from '../events.ts'
import type { Product } from '../state.ts'
import type { RpcCaller } from './rpc.ts'

export const callerOf = <P extends Product>(call: TreeCall<P>): RpcCaller<P['machine']> => ({
  machine: call.machine,
  context: call.context,
  isAnonymous: call.identity.isAnonymous,
  user: call.identity.user,
  enumerationEvent: (operation, status) => pipeEvent(call, '5013', operation, status),
})
