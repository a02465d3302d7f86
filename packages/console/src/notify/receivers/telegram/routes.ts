// Extension: chats of Telegram.
import { telegram } from '@rookery/contract/groups/telegram.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['token', 'chat'])
  return implement(telegram, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ telegram: await list(params, call) }),
  })
}
