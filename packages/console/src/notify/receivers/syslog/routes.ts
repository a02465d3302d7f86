// Extension: collectors of syslog.
import { syslog } from '@rookery/contract/groups/syslog.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['host'])
  return implement(syslog, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ syslog: await list(params, call) }),
  })
}
