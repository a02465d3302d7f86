// 4.17, generic webhooks.
import { flockWebhooks } from '@rookery/contract/groups/flock-webhooks.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { attentionView } from '../../attention.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { webhookOperations } from '../../webhook-operations.ts'
import { openReceiver } from '../../receiver.ts'
import { descriptor } from './descriptor.ts'
import { formatOf, sendsPasswords } from './format.ts'
import { newSecret } from './sign.ts'

const { addGeneric, generic, listGeneric, removeGeneric, testGeneric } = flockWebhooks

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const webhooks = webhookOperations(descriptor, deps)
  return implement(
    { addGeneric, generic, listGeneric, removeGeneric, testGeneric },
    {
      async addGeneric({ url, headers, format, template, tried_logins, ...given }, call: ReceiverCall) {
        const secret = newSecret(deps.world.random)
        const form = descriptor.parse({ url, headers, format, template, tried_logins, secret })
        return { webhook_id: await webhooks.add(call, given, form), secret }
      },
      async generic({ flock_id }, call: ReceiverCall) {
        const { views, areOn } = await webhooks.list(call, flock_id)
        return { generic_webhooks: views, webhooks_enabled: areOn }
      },
      async listGeneric({ flock_id }, call: ReceiverCall) {
        const { rows, views } = await webhooks.list(call, flock_id)
        return {
          generic_webhooks: rows.map((row, index) => {
            const receiver = openReceiver(deps.vault, row)
            return {
              header_names: JSON.parse(row.header_names) as string[],
              url: views[index] ?? row.host,
              webhook_id: row.webhook_id,
              format: formatOf(receiver),
              tried_logins: sendsPasswords(receiver),
              ...attentionView(row),
              ...(row.disabled_reason !== '' && { disabled_reason: row.disabled_reason }),
            }
          }),
        }
      },
      removeGeneric: ({ flock_id, url }, call: ReceiverCall) => webhooks.remove(call, flock_id, url),
      testGeneric({ flock_id, url, ...given }, call: ReceiverCall) {
        return webhooks.test(call, flock_id, url, descriptor.parse({ url, ...given, secret: '' }))
      },
    },
  )
}
