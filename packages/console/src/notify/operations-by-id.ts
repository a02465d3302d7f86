// The operations of kinds whose receivers are known apart by their id, since their address is no secret or they have none.
import { invalidParameter, required } from '@rookery/kernel/fault.ts'
import type { Query, Scope } from '../db/query.ts'
import { existingFlock } from '../stores/flocks/store.ts'
import { listReceivers, type ReceiverRow } from '../stores/webhooks/store.ts'
import type { AttentionGiven } from './attention.ts'
import type { ReceiverCall, ReceiverDeps, WebhookDescriptor } from './receiver-kind.ts'
import { openReceiver } from './receiver.ts'
import { dropReceiver, NOT_THERE, testTarget } from './receivers.ts'
import { webhookOperations } from './webhook-operations.ts'

interface OfFlock {
  readonly flock_id: string
}

/** `needed`: what a test of a receiver that is not added must give. */
export function operationsById<Given, View>(
  descriptor: WebhookDescriptor<Given, View>,
  deps: ReceiverDeps,
  needed: readonly (keyof Given & string)[],
) {
  const { reader, vault, world, notifier } = deps
  const { kind, parse } = descriptor
  const webhooks = webhookOperations(descriptor, deps)

  async function one(db: Query, scope: Scope, flockId: string, webhookId: string): Promise<ReceiverRow> {
    await existingFlock(db, scope, flockId)
    const rows = await listReceivers(db, flockId, kind)
    return required(
      rows.find((it) => it.webhook_id === webhookId),
      NOT_THERE,
    )
  }

  function unsaved(given: Partial<Given>) {
    const missing = needed.find((name) => given[name] === undefined)
    if (missing !== undefined) throw invalidParameter(missing, 'is required, unless webhook_id is given')
    const { url, secret = '', settings = {}, headers = {} } = parse(given as Given)
    return { kind, webhookId: '', url: url.given, headers, secret, settings }
  }

  return {
    async add(given: Given & OfFlock & AttentionGiven, call: ReceiverCall) {
      return { webhook_id: await webhooks.add(call, given, parse(given)) }
    },
    /** The receivers as the kind shows them, by age. */
    list: async ({ flock_id }: OfFlock, call: ReceiverCall) => (await webhooks.list(call, flock_id)).views,
    async remove(
      { flock_id, webhook_id }: OfFlock & { readonly webhook_id: string },
      { caller, change }: ReceiverCall,
    ) {
      await change(async (tx) => dropReceiver(tx, await one(tx.query, caller.scope, flock_id, webhook_id)))
      return {}
    },
    async test(
      {
        flock_id,
        webhook_id,
        ...given
      }: Partial<Given> & OfFlock & { readonly webhook_id?: string | undefined },
      { caller }: ReceiverCall,
    ) {
      const flock = await existingFlock(reader, caller.scope, flock_id)
      const target =
        webhook_id === undefined
          ? unsaved(given as unknown as Partial<Given>)
          : openReceiver(vault, await one(reader, caller.scope, flock_id, webhook_id))
      await testTarget({ world }, notifier, flock, target)
      return {}
    },
  }
}
