// The receivers of a Flock, of whatever kind: adding, finding, testing and removing them.
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../app-context.ts'
import type { Query, Tx } from '../db/query.ts'
import { endWaiting } from '../stores/deliveries/store.ts'
import type { Flock } from '../stores/flocks/store.ts'
import { readSettings } from '../stores/settings/store.ts'
import {
  findReceiverByUrl,
  listReceivers,
  nextCreation,
  putReceiver,
  removeReceiver,
  type ReceiverAttention,
  type ReceiverRow,
} from '../stores/webhooks/store.ts'
import { ALL_EARS } from './attention.ts'
import { describeTest } from './message/incident.ts'
import type { Message } from './message/message.ts'
import { newMessageId } from './message-id.ts'
import { openReceiver, sealReceiver, type Receiver } from './receiver.ts'
import type { ReceiverUrl } from './receiver-url.ts'
import type { Sender, Sent, Target } from './senders/sender.ts'

/** What features need of Notify. */
export interface Notifier {
  /** The console's own address, for links. */
  readonly consoleUrl: () => string
  /** Sends to a receiver of any kind. */
  readonly send: Sender
  /** Whether the operator has set what receivers of this kind need. */
  readonly isConfigured: (kind: string) => boolean
  /** Why receivers of this kind get nothing as the operator has set it; undefined where they can. */
  readonly refusal: (kind: string) => string | undefined
  /** A URL at which a receiver of this kind cannot be, since another's chat service is there, is a `bad-input`. */
  readonly checkService: (kind: string, url: ReceiverUrl) => void
  /** What a receiver would be sent, without its secrets; undefined where nothing can be. */
  readonly sentTo: (to: Target, message: Message, messageId: string) => Promise<Sent | undefined>
  /** A receiver has just been seen to work. */
  readonly probe: (webhookId: string) => void
  /** Messages were committed. */
  readonly wake: () => void
}

type Deps = Pick<AppContext, 'vault' | 'world'>

/** Receivers of one Flock. */
const RECEIVERS_PER_FLOCK = limit('receivers_per_flock', 100)
export const NOT_THERE = 'Webhook does not exist.'

/** A receiver as a caller gives it. */
export interface ReceiverForm extends Partial<Pick<Receiver, 'headers' | 'secret' | 'settings'>> {
  readonly url: ReceiverUrl
  /** Which incidents it is notified of; missing: all. */
  readonly attention?: ReceiverAttention
}

/**
 * Adds a receiver, or puts it in the place of another (`over`), whose id and waiting messages it takes; answers its id.
 * The same URL twice in a Flock is a `conflict`, but for one that was switched off: it serves again under its id, with
 * what is kept of it now. A literal address that no alert may go to is a `bad-input`.
 */
export async function addReceiver(
  tx: Tx,
  { vault, world }: Deps,
  flockId: string,
  kind: string,
  { url, headers = {}, secret = '', settings = {}, attention = ALL_EARS }: ReceiverForm,
  over?: ReceiverRow,
): Promise<string> {
  const same = await findReceiverByUrl(tx.query, flockId, kind, vault.digest('url', url.href))
  if (over && same && same.webhook_id !== over.webhook_id) await dropReceiver(tx, same)
  else if (!over && same?.disabled_reason === '')
    throw new Fault('conflict', `The Flock already has this webhook (${same.webhook_id}).`)
  const refusal = world.outbound.refusal?.(url.href)
  if (refusal !== undefined) throw invalidParameter(url.parameter, refusal)
  const row = over ?? same
  if (!row && (await listReceivers(tx.query, flockId)).length >= RECEIVERS_PER_FLOCK.max) {
    RECEIVERS_PER_FLOCK.hit()
    throw new Fault('conflict', `A Flock has at most ${RECEIVERS_PER_FLOCK.max} webhooks.`)
  }
  const webhookId = row?.webhook_id ?? hex(world.random, 16)
  const sealed = sealReceiver(vault, {
    kind,
    headers,
    secret,
    settings,
    attention,
    webhookId,
    flockId,
    url: url.given,
    host: url.host,
    urlKey: url.href,
    createdAt: row?.created_at ?? (await nextCreation(tx.query, flockId, world.clock.now())),
  })
  await putReceiver(tx, sealed)
  return webhookId
}

/** The receiver with this URL; `not-found` when the Flock has none. */
export const receiverAt = async (
  db: Query,
  { vault }: Deps,
  flockId: string,
  kind: string,
  url: ReceiverUrl,
): Promise<ReceiverRow> =>
  required(await findReceiverByUrl(db, flockId, kind, vault.digest('url', url.href)), NOT_THERE)

/** Whether the Flock's webhooks are sent to: its own switch, or the console's. */
export async function areWebhooksOn(
  config: AppContext['config'],
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

/** Removes the receivers of every kind of a Flock that goes. */
export async function dropReceiversOfFlock(tx: Tx, flockId: string): Promise<void> {
  for (const row of await listReceivers(tx.query, flockId)) await dropReceiver(tx, row)
}

/** Really sends a dummy incident to a URL, as the receiver that is registered there, or as this form says. */
export async function testUrl(
  deps: Deps & Pick<AppContext, 'reader'>,
  notifier: Notifier,
  flock: Flock,
  kind: string,
  url: ReceiverUrl,
  { headers = {}, settings = {} }: Pick<ReceiverForm, 'headers' | 'settings'> = {},
): Promise<void> {
  const { reader, vault } = deps
  const row = await findReceiverByUrl(reader, flock.flock_id, kind, vault.digest('url', url.href))
  const target: Target = row
    ? openReceiver(vault, row)
    : { kind, webhookId: '', url: url.href, headers, secret: '', settings }
  await testTarget(deps, notifier, flock, target)
}

/** Really sends a dummy incident; a failure is a `bad-input` with the reason. */
export async function testTarget(
  { world }: Pick<Deps, 'world'>,
  { consoleUrl, send, probe }: Pick<Notifier, 'consoleUrl' | 'send' | 'probe'>,
  flock: Pick<Flock, 'flock_id' | 'name'>,
  target: Target,
): Promise<void> {
  const message = describeTest({ id: flock.flock_id, name: flock.name }, world.clock.now(), consoleUrl())
  const { delivered, reason } = await send(target, message, newMessageId(world.random))
  if (!delivered)
    throw new Fault('bad-input', `The test was not delivered: ${reason}`, { details: { url: reason } })
  if (target.webhookId !== '') probe(target.webhookId)
}
