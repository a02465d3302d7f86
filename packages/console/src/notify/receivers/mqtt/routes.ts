// Extension: brokers of MQTT.
import { mqtt } from '@rookery/contract/groups/mqtt.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['url'])
  return implement(mqtt, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ mqtt: await list(params, call) }),
  })
}
