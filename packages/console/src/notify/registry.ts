// The receivers of a Flock, of whatever kind: adding, testing and removing them.
import { Fault, required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { Base } from '../base.ts'
import type { Query, Tx } from '../db/query.ts'
import { describeTest } from './message/incident.ts'
import { newMessageId } from './outbox.ts'
import { openReceiver, sealReceiver, type Receiver } from './receiver.ts'
import type { Sender, Target } from './senders/sender.ts'
import { endWaiting } from '../stores/deliveries/store.ts'
import type { Flock } from '../stores/flocks/store.ts'
import { readSettings } from '../stores/settings/store.ts'
import {
  findReceiverByUrl,
  listReceivers,
  putReceiver,
  removeReceiver,
  type ReceiverRow,
} from '../stores/webhooks/store.ts'
import type { ReceiverKind } from '../stores/webhooks/tables.ts'
import type { ReceiverUrl } from './receiver-url.ts'

/** What features need of Notify. */
export interface Alerts {
  /** The console's own address, for links. */
  readonly consoleUrl: () => string
  /** The way to a receiver of any kind. */
  readonly send: Sender
  /** A receiver has just been seen to work. */
  readonly probe: (webhookId: string) => void
  /** Messages were committed. */
  readonly wake: () => void
}

type Needs = Pick<Base, 'reader' | 'vault' | 'world'>

const MOST_RECEIVERS = 100
export const NOT_THERE = 'Webhook does not exist.'

/** What is kept of a receiver besides its URL. */
export type Kept = Pick<Receiver, 'kind' | 'headers' | 'secret' | 'settings'>

/**
 * Adds a receiver, or puts it in the place of another (`over`), whose id and waiting messages it takes; answers its id.
 * The same URL twice in a Flock is a `conflict`, but for one that was switched off: it serves again under its id, with
 * what is kept of it now.
 */
export async function addReceiver(
  tx: Tx,
  { vault, world }: Needs,
  flockId: string,
  url: ReceiverUrl,
  kept: Kept,
  over?: ReceiverRow,
): Promise<string> {
  const same = await findReceiverByUrl(tx.query, flockId, kept.kind, vault.digest('url', url.href))
  if (over && same && same.webhook_id !== over.webhook_id) await dropReceiver(tx, same)
  else if (!over && same?.disabled_reason === '')
    throw new Fault('conflict', `The Flock already has this webhook (${same.webhook_id}).`)
  const row = over ?? same
  if (!row && (await listReceivers(tx.query, flockId)).length >= MOST_RECEIVERS) {
    throw new Fault('conflict', `A Flock has at most ${MOST_RECEIVERS} webhooks.`)
  }
  const webhookId = row?.webhook_id ?? hex(world.random, 16)
  const sealed = sealReceiver(vault, {
    ...kept,
    webhookId,
    flockId,
    url: url.given,
    host: url.host,
    known: url.href,
    createdAt: row?.created_at ?? world.clock.now(),
  })
  await putReceiver(tx, sealed)
  return webhookId
}

/** The receiver with this URL; `not-found` when the Flock has none. */
export const receiverAt = async (
  db: Query,
  { vault }: Needs,
  flockId: string,
  kind: ReceiverKind,
  url: ReceiverUrl,
): Promise<ReceiverRow> =>
  required(await findReceiverByUrl(db, flockId, kind, vault.digest('url', url.href)), NOT_THERE)

/** Whether the Flock's webhooks are sent to: its own switch, or the console's. */
export async function areWebhooksOn(
  config: Base['config'],
  { webhooks_mode: mode }: Flock,
): Promise<boolean> {
  if (mode !== 'global') return mode === 'on'
  return (await config.get('settings', readSettings)).webhooks_enabled === 'true'
}

/** Removes a receiver; what waits for it is dropped. */
export async function dropReceiver(tx: Tx, { webhook_id }: ReceiverRow): Promise<void> {
  await endWaiting(tx, webhook_id, 'dropped', 'The webhook was removed.')
  await removeReceiver(tx, webhook_id)
}

/** Really sends a dummy incident to a URL, as the receiver that is registered there, if there is one. */
export async function testUrl(
  needs: Needs,
  alerts: Alerts,
  flock: Flock,
  kind: ReceiverKind,
  url: ReceiverUrl,
): Promise<void> {
  const { reader, vault } = needs
  const row = await findReceiverByUrl(reader, flock.flock_id, kind, vault.digest('url', url.href))
  const target: Target = row
    ? openReceiver(vault, row)
    : { kind, webhookId: '', url: url.href, headers: {}, secret: '' }
  await testTarget(needs, alerts, flock, target)
}

/** Really sends a dummy incident; a failure is a `bad-input` with the reason. */
export async function testTarget(
  { world }: Needs,
  { consoleUrl, send, probe }: Alerts,
  flock: Flock,
  target: Target,
): Promise<void> {
  const message = describeTest({ id: flock.flock_id, name: flock.name }, world.clock.now(), consoleUrl())
  const { passed, reason } = await send(target, message, newMessageId(world.random))
  if (!passed)
    throw new Fault('bad-input', `The test was not delivered: ${reason}`, { details: { url: reason } })
  if (target.webhookId !== '') probe(target.webhookId)
}
