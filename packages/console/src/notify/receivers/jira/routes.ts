// Extension: projects of Jira.
import { jira } from '@rookery/contract/groups/jira.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['url', 'email', 'token', 'project'])
  return implement(jira, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ jira: await list(params, call) }),
  })
}
