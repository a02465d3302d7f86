// 4.17, team chat and chat service. Adding a channel of a chat service takes its authorisation (authorise.ts).
import { flockChats } from '@rookery/contract/groups/flock-chats.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Base } from '../../base.ts'
import type { Call } from '../../http/call.ts'
import { readUrl } from '../../notify/receiver-url.ts'
import { openReceiver } from '../../notify/receiver.ts'
import { chatopsRecord, type ChatopsRecord } from '../../notify/records.ts'
import {
  addReceiver,
  areWebhooksOn,
  dropReceiver,
  NOT_THERE,
  receiverAt,
  testUrl,
  type Alerts,
} from '../../notify/registry.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { listReceivers, type ReceiverRow } from '../../stores/webhooks/store.ts'
import { channelsNamed } from './channels.ts'

type Needs = Pick<Base, 'reader' | 'config' | 'vault' | 'world'> & { readonly alerts: Alerts }

export const flockChatsRoutes = (needs: Needs): Route<Call>[] => {
  const { reader, config, vault, alerts } = needs

  /** URLs are secrets: who is no admin sees their hosts. */
  const shownUrl = (call: Call, row: ReceiverRow): string =>
    call.caller.type === 'admin' ? openReceiver(vault, row).url : row.host

  function shownChannel(call: Call, row: ReceiverRow): ChatopsRecord {
    const record = chatopsRecord(openReceiver(vault, row))
    if (call.caller.type === 'admin') return record
    const { configuration_url: page } = record
    return { ...record, url: row.host, configuration_url: page === '' ? '' : new URL(page).host }
  }

  return implement(flockChats, {
    async addTeamchat({ flock_id, url }, call: Call) {
      const address = readUrl(url)
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        await addReceiver(tx, needs, flock_id, address, {
          kind: 'teamchat',
          headers: {},
          secret: '',
          settings: {},
        })
      })
      return {}
    },
    async teamchat({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      const rows = await listReceivers(reader, flock_id, 'teamchat')
      return {
        teamchat_webhooks: rows.map((row) => shownUrl(call, row)),
        webhooks_enabled: await areWebhooksOn(config, flock),
      }
    },
    async removeTeamchat({ flock_id, url }, call: Call) {
      const address = readUrl(url)
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        await dropReceiver(tx, await receiverAt(tx.query, needs, flock_id, 'teamchat', address))
      })
      return {}
    },
    async testTeamchat({ flock_id, url }, call: Call) {
      const address = readUrl(url)
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      await testUrl(needs, alerts, flock, 'teamchat', address)
      return { webhook: url }
    },
    async chatops({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      const rows = await listReceivers(reader, flock_id, 'chatops')
      return {
        chatops_webhooks: rows.map((row) => shownChannel(call, row)),
        webhooks_enabled: await areWebhooksOn(config, flock),
      }
    },
    async removeChatops({ flock_id, team, channel }, call: Call) {
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        const rows = await channelsNamed(tx.query, vault, flock_id, team, channel)
        if (rows.length === 0) throw new Fault('not-found', NOT_THERE)
        for (const row of rows) await dropReceiver(tx, row)
      })
      return {}
    },
    async testChatops({ flock_id, url }, call: Call) {
      const address = readUrl(url)
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      await testUrl(needs, alerts, flock, 'chatops', address)
      return { webhook: url }
    },
  })
}
