// Extension: services of PagerDuty.
import { pagerduty } from '@rookery/contract/groups/pagerduty.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['routing_key'])
  return implement(pagerduty, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ pagerduty: await list(params, call) }),
  })
}
