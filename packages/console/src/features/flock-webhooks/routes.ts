// 4.17, the switch and the generic part; 4.18, webhooks/info: whom a Flock's alerts are sent to.
import { flockWebhooks } from '@rookery/contract/groups/flock-webhooks.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Base } from '../../base.ts'
import type { Call } from '../../http/call.ts'
import { readUrl } from '../../notify/receiver-url.ts'
import { openReceiver } from '../../notify/receiver.ts'
import {
  addReceiver,
  areWebhooksOn,
  dropReceiver,
  receiverAt,
  testUrl,
  type Alerts,
} from '../../notify/registry.ts'
import { chatopsRecord, siemRecord } from '../../notify/records.ts'
import { newSecret } from '../../notify/sign.ts'
import { changeFlock, existingFlock, type Flock } from '../../stores/flocks/store.ts'
import { listReceivers, type ReceiverRow } from '../../stores/webhooks/store.ts'
import type { ReceiverKind } from '../../stores/webhooks/tables.ts'
import { checkedHeaders } from './headers.ts'

type Needs = Pick<Base, 'reader' | 'config' | 'vault' | 'world'> & { readonly alerts: Alerts }

export const flockWebhooksRoutes = (needs: Needs): Route<Call>[] => {
  const { reader, config, vault, world, alerts } = needs

  const switchTo = (call: Call, flockId: string, mode: Flock['webhooks_mode']): Promise<object> =>
    call.change(async (tx) => {
      await existingFlock(tx.query, call.caller.scope, flockId)
      await changeFlock(tx.query, flockId, { webhooks_mode: mode })
      await tx.configChanged()
      return {}
    })

  /** A URL may hold a secret: who is no admin sees its host. */
  const shownUrl = (call: Call, row: ReceiverRow): string =>
    call.caller.type === 'admin' ? openReceiver(vault, row).url : row.host

  return implement(flockWebhooks, {
    async isEnabled({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      return { is_enabled: await areWebhooksOn(config, flock) }
    },
    async isGlobal({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      return { is_global: flock.webhooks_mode === 'global' }
    },
    disable: ({ flock_id }, call: Call) => switchTo(call, flock_id, 'off'),
    enable: ({ flock_id }, call: Call) => switchTo(call, flock_id, 'on'),
    useGlobal: ({ flock_id }, call: Call) => switchTo(call, flock_id, 'global'),
    async addGeneric({ flock_id, url, headers }, call: Call) {
      const address = readUrl(url)
      const own = checkedHeaders(headers ?? {})
      const secret = newSecret(world.random)
      const webhook_id = await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        return addReceiver(tx, needs, flock_id, address, {
          kind: 'generic',
          headers: own,
          secret,
          settings: {},
        })
      })
      return { webhook_id, secret }
    },
    async generic({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      const rows = await listReceivers(reader, flock_id, 'generic')
      return {
        generic_webhooks: rows.map((row) => shownUrl(call, row)),
        webhooks_enabled: await areWebhooksOn(config, flock),
      }
    },
    async listGeneric({ flock_id }, call: Call) {
      await existingFlock(reader, call.caller.scope, flock_id)
      const rows = await listReceivers(reader, flock_id, 'generic')
      return {
        generic_webhooks: rows.map((row) => ({
          header_names: JSON.parse(row.header_names) as string[],
          url: shownUrl(call, row),
          webhook_id: row.webhook_id,
          ...(row.disabled_reason !== '' && { disabled_reason: row.disabled_reason }),
        })),
      }
    },
    async removeGeneric({ flock_id, url }, call: Call) {
      const address = readUrl(url)
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        await dropReceiver(tx, await receiverAt(tx.query, needs, flock_id, 'generic', address))
      })
      return {}
    },
    async testGeneric({ flock_id, url }, call: Call) {
      const address = readUrl(url)
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      await testUrl(needs, alerts, flock, 'generic', address)
      return { webhook: url }
    },
    async info({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      const open = (await listReceivers(reader, flock_id)).map((row) => openReceiver(vault, row))
      const urls = (kind: ReceiverKind): string[] =>
        open.filter((receiver) => receiver.kind === kind).map(({ url }) => url)
      const collector = open.find(({ kind }) => kind === 'siem')
      return {
        webhook_info: {
          generic_webhooks: urls('generic'),
          legacychat_webhooks: [],
          teamchat: urls('teamchat'),
          chatops_webhooks: open.filter(({ kind }) => kind === 'chatops').map(chatopsRecord),
          siem_webhook: collector ? siemRecord(collector) : {},
          webhooks_enabled: await areWebhooksOn(config, flock),
        },
      }
    },
  })
}
