// The operations of receivers at Some name.
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '@rookery/console/notify/operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '@rookery/console/notify/receiver-kind.ts'
import { descriptor } from './descriptor.ts'
import { someName } from './group.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['host', 'port'])
  return implement(someName, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ some_name: await list(params, call) }),
  })
}
