// 4.17, team chats.
import { flockChats } from '@rookery/contract/groups/flock-chats.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { webhookOperations } from '../../webhook-operations.ts'
import { descriptor } from './descriptor.ts'

const { addTeamchat, teamchat, removeTeamchat, testTeamchat } = flockChats

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const webhooks = webhookOperations(descriptor, deps)
  return implement(
    { addTeamchat, teamchat, removeTeamchat, testTeamchat },
    {
      async addTeamchat({ url, ...given }, call: ReceiverCall) {
        await webhooks.add(call, given, descriptor.parse({ url }))
        return {}
      },
      async teamchat({ flock_id }, call: ReceiverCall) {
        const { views, areOn } = await webhooks.list(call, flock_id)
        return { teamchat_webhooks: views, webhooks_enabled: areOn }
      },
      removeTeamchat: ({ flock_id, url }, call: ReceiverCall) => webhooks.remove(call, flock_id, url),
      testTeamchat: ({ flock_id, url }, call: ReceiverCall) => webhooks.test(call, flock_id, url),
    },
  )
}
