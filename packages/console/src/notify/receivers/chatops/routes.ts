// 4.17, channels of chat services. Adding one takes its authorisation (`features/flock-chats`).
import { flockChats } from '@rookery/contract/groups/flock-chats.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { existingFlock } from '../../../stores/flocks/store.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { dropReceiver, NOT_THERE } from '../../receivers.ts'
import { webhookOperations } from '../../webhook-operations.ts'
import { channelsNamed } from './channels.ts'
import { descriptor } from './descriptor.ts'

const { chatops, removeChatops, testChatops } = flockChats

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const webhooks = webhookOperations(descriptor, deps)
  return implement(
    { chatops, removeChatops, testChatops },
    {
      async chatops({ flock_id }, call: ReceiverCall) {
        const { views, areOn } = await webhooks.list(call, flock_id)
        return { chatops_webhooks: views, webhooks_enabled: areOn }
      },
      async removeChatops({ flock_id, team, channel }, { caller, change }: ReceiverCall) {
        await change(async (tx) => {
          await existingFlock(tx.query, caller.scope, flock_id)
          const rows = await channelsNamed(tx.query, deps.vault, flock_id, team, channel)
          if (rows.length === 0) throw new Fault('not-found', NOT_THERE)
          for (const row of rows) await dropReceiver(tx, row)
        })
        return {}
      },
      testChatops: ({ flock_id, url }, call: ReceiverCall) => webhooks.test(call, flock_id, url),
    },
  )
}
