// The operations of receivers at Some name.
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { ReceiverCall, ReceiverDeps } from '@rookery/console/notify/receiver-kind.ts'
import { webhookOperations } from '@rookery/console/notify/webhook-operations.ts'
import { descriptor } from './descriptor.ts'
import { someName } from './group.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const webhooks = webhookOperations(descriptor, deps)
  return implement(someName, {
    async add({ url, ...given }, call: ReceiverCall) {
      await webhooks.add(call, given, descriptor.parse({ url }))
      return {}
    },
    async list({ flock_id }, call: ReceiverCall) {
      const { views, areOn } = await webhooks.list(call, flock_id)
      return { some_name_webhooks: views, webhooks_enabled: areOn }
    },
    remove: ({ flock_id, url }, call: ReceiverCall) => webhooks.remove(call, flock_id, url),
    test: ({ flock_id, url }, call: ReceiverCall) => webhooks.test(call, flock_id, url),
  })
}
