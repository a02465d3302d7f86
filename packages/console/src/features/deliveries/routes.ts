// Extension: the log of deliveries, and sending again. A replay has a number of its own and the message's id, so that a
// receiver that did get it knows it.
import { deliveries } from '@rookery/contract/groups/deliveries.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import { parseListTime } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { receiverState } from '../../notify/active-receivers.ts'
import { render } from '../../notify/message/render.ts'
import { openReceiver } from '../../notify/receiver.ts'
import type { Notifier } from '../../notify/receivers.ts'
import { findDelivery, listDeliveries, notReplayed, replay } from '../../stores/deliveries/log.store.ts'
import { loadMessage } from '../../stores/deliveries/queue.store.ts'
import { findReceiver, type ReceiverRow } from '../../stores/webhooks/store.ts'
import { nextCursor, readPage } from './page.ts'
import { deliveryView } from './views.ts'

type DeliveriesDeps = Pick<AppContext, 'reader' | 'config' | 'vault' | 'world'> & {
  readonly notifier: Notifier
}

const MAX_REPLAYED = 5_000

export const deliveriesRoutes = ({
  reader,
  config,
  vault,
  world,
  notifier,
}: DeliveriesDeps): Route<Call>[] => {
  /** A receiver that takes no messages is a `conflict` with the reason. */
  async function assertActive(row: ReceiverRow): Promise<void> {
    if (row.disabled_reason !== '') {
      throw new Fault(
        'conflict',
        `The webhook was switched off: ${row.disabled_reason} Adding it again switches it on.`,
      )
    }
    if ((await receiverState({ config, vault }, row.webhook_id)) === 'off')
      throw new Fault('conflict', 'Alerts of the Flock are off.')
  }

  return implement(deliveries, {
    async list(params, call: Call) {
      const page = readPage(params, vault)
      const rows = await listDeliveries(reader, call.caller.scope, page.filter, page.before, page.limit + 1)
      return {
        deliveries: rows.slice(0, page.limit).map(deliveryView),
        cursor: { next: nextCursor(page, rows, vault) },
      }
    },
    async fetch({ delivery_id }, { caller: { scope } }: Call) {
      const asked = readNumber(delivery_id)
      const delivery = required(await findDelivery(reader, scope, asked), 'Delivery does not exist.')
      const [receiver, row] = [
        await findReceiver(reader, delivery.webhook_id),
        await loadMessage(reader, asked),
      ]
      const isGone = delivery.subject === 'incident' && delivery.incident_key === null
      if (!receiver || !row || isGone) return { delivery: deliveryView(delivery), message: null }
      const message = await render(reader, row, notifier.consoleUrl())
      const sent = await notifier.sentTo(openReceiver(vault, receiver), message, delivery.message_id)
      return { delivery: deliveryView(delivery), message: sent ?? null }
    },
    async replayOne({ delivery_id }, call: Call) {
      const asked = readNumber(delivery_id)
      const { webhookId, number } = await call.change(async (tx) => {
        const row = required(
          await findDelivery(tx.query, call.caller.scope, asked),
          'Delivery does not exist.',
        )
        call.note({ flock_id: row.flock_id })
        if (row.state === 'waiting') return { webhookId: row.webhook_id, number: asked }
        const receiver = await findReceiver(tx.query, row.webhook_id)
        if (!receiver) throw new Fault('conflict', 'The webhook of this delivery is not there any more.')
        await assertActive(receiver)
        if (row.subject === 'incident' && row.incident_key === null)
          throw new Fault('conflict', 'The incident of this delivery is not kept any more.')
        const [fresh = 0] = await replay(tx, [asked], world.clock.now())
        return { webhookId: row.webhook_id, number: fresh }
      })
      if (number === asked) notifier.probe(webhookId)
      else notifier.wake()
      return { delivery_id: number }
    },
    async replayMany({ webhook_id, since, state }, call: Call) {
      const from = parseListTime(since, 'since')
      const states = state === undefined ? (['failed', 'dropped'] as const) : ([state] as const)
      const answer = await call.change(async (tx) => {
        const receiver = await findReceiver(tx.query, webhook_id)
        const { scope } = call.caller
        if (!receiver || (scope !== 'all' && !scope.includes(receiver.flock_id)))
          throw new Fault('not-found', 'Webhook does not exist.')
        call.note({ flock_id: receiver.flock_id })
        await assertActive(receiver)
        const ids = await notReplayed(tx.query, webhook_id, states, from, MAX_REPLAYED + 1)
        const fresh = await replay(tx, ids.slice(0, MAX_REPLAYED), world.clock.now())
        return { replayed: fresh.length, more: ids.length > MAX_REPLAYED }
      })
      notifier.wake()
      return answer
    },
  })
}

function readNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalidParameter('delivery_id', 'must be the number of a delivery')
}
