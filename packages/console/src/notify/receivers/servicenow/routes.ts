// Extension: instances of ServiceNow.
import { servicenow } from '@rookery/contract/groups/servicenow.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['url', 'user', 'password'])
  return implement(servicenow, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ servicenow: await list(params, call) }),
  })
}
