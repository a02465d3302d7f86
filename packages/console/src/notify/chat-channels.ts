// Which channel of a chat service has the alert of an incident.
import type { AppContext } from '../app-context.ts'
import type { Query } from '../db/query.ts'
import { receiptsOf } from '../stores/deliveries/receivers.store.ts'
import { findReceiver } from '../stores/webhooks/store.ts'
import { openReceiver } from './receiver.ts'
import { receiverKinds } from './receivers.gen.ts'

/** Of each kind that writes into channels, how one is named. */
const namings = new Map(
  Object.values(receiverKinds).flatMap(({ descriptor: it }) =>
    it.madeBy === 'operations' && it.channelOf ? [[it.kind, it.channelOf] as const] : [],
  ),
)

/** By the number of the incident; the first channel where several have its alert. Without those that none has. */
export async function channelsOfIncidents(
  db: Query,
  vault: AppContext['vault'],
  incidentIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const receipts = await receiptsOf(db, [...namings.keys()], incidentIds)
  const names = new Map<string, string>()
  for (const { webhookId } of receipts) {
    if (names.has(webhookId)) continue
    const row = await findReceiver(db, webhookId)
    if (row) names.set(webhookId, namings.get(row.kind)?.(openReceiver(vault, row)) ?? '')
  }
  const found = new Map<number, string>()
  for (const { incidentId, webhookId } of receipts) {
    if (!found.has(incidentId)) found.set(incidentId, names.get(webhookId) ?? '')
  }
  return found
}
