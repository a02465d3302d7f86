// 4.17, event collector: at most one for each Flock.
import { isIP } from 'node:net'
import { flockCollector } from '@rookery/contract/groups/flock-collector.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import type { Base } from '../../base.ts'
import type { Query } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import type { ReceiverUrl } from '../../notify/receiver-url.ts'
import { openReceiver } from '../../notify/receiver.ts'
import { siemRecord } from '../../notify/records.ts'
import {
  addReceiver,
  areWebhooksOn,
  dropReceiver,
  NOT_THERE,
  testTarget,
  type Alerts,
} from '../../notify/registry.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { listReceivers, type ReceiverRow } from '../../stores/webhooks/store.ts'

type Needs = Pick<Base, 'reader' | 'config' | 'vault' | 'world'> & { readonly alerts: Alerts }

export const flockCollectorRoutes = (needs: Needs): Route<Call>[] => {
  const { reader, config, vault, alerts } = needs

  const collector = async (db: Query, flockId: string): Promise<ReceiverRow | undefined> =>
    (await listReceivers(db, flockId, 'siem'))[0]

  return implement(flockCollector, {
    async add({ flock_id, host, port, token }, call: Call) {
      const address = collectorUrl(host, port)
      const secret = checkedToken(token)
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        const settings = { host, port: String(Number(port)) }
        const kept = { kind: 'siem', headers: {}, secret, settings } as const
        await addReceiver(tx, needs, flock_id, address, kept, await collector(tx.query, flock_id))
      })
      return {}
    },
    async show({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      const row = await collector(reader, flock_id)
      return {
        siem_webhook: row ? siemRecord(openReceiver(vault, row)) : {},
        webhooks_enabled: await areWebhooksOn(config, flock),
      }
    },
    async remove({ flock_id }, call: Call) {
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        await dropReceiver(tx, required(await collector(tx.query, flock_id), NOT_THERE))
      })
      return {}
    },
    async test({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      const row = required(await collector(reader, flock_id), NOT_THERE)
      await testTarget(needs, alerts, flock, openReceiver(vault, row))
      return {}
    },
  })
}

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i

const wrong = (field: string, reason: string): Fault =>
  new Fault('bad-input', `Parameter ${field} was invalid.`, { details: { [field]: reason } })

/** The collector's base address: always TLS. */
function collectorUrl(host: string, port: string): ReceiverUrl {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) === 0 && !NAME.test(bare))
    throw wrong('host', 'must be a domain name or an IP address, without scheme, port or path')
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw wrong('port', 'must be a number from 1 to 65535')
  const url = `https://${isIP(bare) === 6 ? `[${bare}]` : bare}:${Number(port)}`
  if (!URL.canParse(url)) throw wrong('host', 'must be a domain name or an IP address')
  return { given: url, href: new URL(url).origin, host: `${new URL(url).hostname}:${Number(port)}` }
}

/** It goes into a header: visible ASCII alone. */
function checkedToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw wrong('token', 'must be visible ASCII text without spaces')
  return token
}
