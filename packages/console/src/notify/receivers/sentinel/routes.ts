// Extension: workspaces of Microsoft Sentinel.
import { sentinel } from '@rookery/contract/groups/sentinel.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

const NEEDED = ['endpoint', 'rule_id', 'stream', 'tenant', 'client_id', 'client_secret'] as const

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, NEEDED)
  return implement(sentinel, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ sentinel: await list(params, call) }),
  })
}
