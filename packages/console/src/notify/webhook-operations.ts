// What the operations of every kind of webhook do: add, list, remove and test the receivers of a Flock.
import type { Query } from '../db/query.ts'
import { existingFlock } from '../stores/flocks/store.ts'
import { listReceivers, type ReceiverRow } from '../stores/webhooks/store.ts'
import { attentionView, parseAttention, type AttentionGiven } from './attention.ts'
import type { ReceiverCall, ReceiverDeps, WebhookDescriptor } from './receiver-kind.ts'
import { parseReceiverUrl } from './receiver-url.ts'
import { openReceiver } from './receiver.ts'
import {
  addReceiver,
  areWebhooksOn,
  dropReceiver,
  receiverAt,
  testUrl,
  type ReceiverForm,
} from './receivers.ts'

export function webhookOperations<View>(
  { kind, view }: Pick<WebhookDescriptor<never, View>, 'kind' | 'view'>,
  deps: ReceiverDeps,
) {
  const { reader, config, vault, notifier } = deps

  return {
    /** `over` finds the receiver in whose place it is put. Answers its id. */
    add: (
      { caller, change }: ReceiverCall,
      { flock_id: flockId, ...given }: AttentionGiven & { readonly flock_id: string },
      form: ReceiverForm,
      over: (db: Query) => Promise<ReceiverRow | undefined> = () => Promise.resolve(undefined),
    ): Promise<string> =>
      change(async (tx) => {
        await existingFlock(tx.query, caller.scope, flockId)
        notifier.checkService(kind, form.url)
        return addReceiver(
          tx,
          deps,
          flockId,
          kind,
          { ...form, attention: parseAttention(given) },
          await over(tx.query),
        )
      }),

    async list({ caller }: ReceiverCall, flockId: string) {
      const flock = await existingFlock(reader, caller.scope, flockId)
      const rows = await listReceivers(reader, flockId, kind)
      const isAdmin = caller.type === 'admin'
      return {
        rows,
        views: rows.map((row) => shownWith(row, view(openReceiver(vault, row), isAdmin))),
        areOn: await areWebhooksOn(config, flock),
      }
    },

    async remove({ caller, change }: ReceiverCall, flockId: string, url: string): Promise<object> {
      const address = parseReceiverUrl(url)
      await change(async (tx) => {
        await existingFlock(tx.query, caller.scope, flockId)
        await dropReceiver(tx, await receiverAt(tx.query, deps, flockId, kind, address))
      })
      return {}
    },

    /** Also tests a URL that is not registered. */
    async test(
      { caller }: ReceiverCall,
      flockId: string,
      url: string,
      form?: Pick<ReceiverForm, 'headers' | 'settings'>,
    ): Promise<{ webhook: string }> {
      const address = parseReceiverUrl(url)
      const flock = await existingFlock(reader, caller.scope, flockId)
      await testUrl(deps, notifier, flock, kind, address, form)
      return { webhook: url }
    },
  }
}

/** What a kind shows of a receiver, and which incidents it is notified of; a kind that shows a text alone has no room for that. */
export const shownWith = <View>(row: ReceiverRow, view: View): View =>
  typeof view === 'object' ? { ...view, ...attentionView(row) } : view
