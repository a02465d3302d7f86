// Which receivers alerts go to now: those of the Flocks whose webhooks are on, and those with a switch of their own.
import type { AppContext } from '../app-context.ts'
import type { Query } from '../db/query.ts'
import { readSettings } from '../stores/settings/store.ts'
import { receiversOfKinds } from '../stores/webhooks/kinds.store.ts'
import {
  findReceiver,
  loadActiveReceivers,
  type ActiveReceivers,
  type ReceiverRow,
} from '../stores/webhooks/store.ts'
import type { ReceiverDescriptor } from './receiver-kind.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { receiverKinds } from './receivers.gen.ts'

const descriptors = Object.values(receiverKinds).map(({ descriptor }) => descriptor)
const switchedWithWebhooks = descriptors
  .filter(({ madeBy }) => madeBy === 'operations')
  .map(({ kind }) => kind)
const kindsThatTake = (takes: ReceiverDescriptor['takes']): readonly string[] =>
  descriptors.filter((it) => it.takes === takes).map(({ kind }) => kind)
const followsStates = descriptors.filter((it) => it.followsStates).map(({ kind }) => kind)
const ofIncidents = kindsThatTake('incidents')

/** Flock id → ids of the receivers that alerts go to now. */
export async function activeReceivers(config: AppContext['config']): Promise<ActiveReceivers> {
  const { webhooks_enabled } = await config.get('settings', readSettings)
  const isOn = webhooks_enabled === 'true'
  return config.get('active receivers', (db) =>
    loadActiveReceivers(db, { isOn, switchedWithWebhooks, ofIncidents, followsStates }),
  )
}

/** The receiver; `off` while its Flock's alerts are off, undefined when it was removed or switched off. */
export async function receiverState(
  { config, vault }: Pick<AppContext, 'config' | 'vault'>,
  webhookId: string,
): Promise<Receiver | 'off' | undefined> {
  const receiver = await config.get(`receiver ${webhookId}`, async (db) => {
    const row = await findReceiver(db, webhookId)
    return row?.disabled_reason === '' ? openReceiver(vault, row) : undefined
  })
  // The switches of alerts are about incidents.
  if (!receiver || !ofIncidents.includes(receiver.kind)) return receiver
  const active = (await activeReceivers(config)).get(receiver.flockId) ?? []
  return active.includes(webhookId) ? receiver : 'off'
}

/** Receivers of the weekly summary; a Flock has at most one of a kind, and so has the console. */
export const weeklySummaryReceivers = (db: Query): Promise<Pick<ReceiverRow, 'webhook_id' | 'flock_id'>[]> =>
  receiversOfKinds(db, kindsThatTake('weekly-summary'))
