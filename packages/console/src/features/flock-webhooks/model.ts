// Adding, testing and removing the receivers of a Flock.
import { Fault, required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { Base } from '../../base.ts'
import { newMessageId } from '../../notify/outbox.ts'
import { testPayload } from '../../notify/payload/generic.ts'
import { post, type Target } from '../../notify/post.ts'
import { openReceiver, receiverPlace } from '../../notify/receiver.ts'
import { newSecret } from '../../notify/sign.ts'
import { endWaiting } from '../../stores/deliveries/store.ts'
import type { Flock } from '../../stores/flocks/store.ts'
import { findReceiverByUrl, listReceivers, putReceiver, removeReceiver } from '../../stores/webhooks/store.ts'
import type { Tx } from '../../db/query.ts'

/** What the feature needs of Notify. */
export interface Alerts {
  /** The console's own address, for links. */
  readonly consoleUrl: () => string
  readonly timeoutMs: number
  /** A receiver has just been seen to work. */
  readonly probe: (webhookId: string) => void
}

type Needs = Pick<Base, 'reader' | 'vault' | 'world'>

const MOST_RECEIVERS = 100
const NOT_THERE = 'Webhook does not exist.'

/** A receiver's URL as it was given, and in the one spelling by which it is known. */
export interface ReceiverUrl {
  readonly given: string
  readonly href: string
  readonly host: string
}

/** Reads a receiver's URL; what is no http(s) URL, or carries credentials, is a `bad-input`. */
export function readUrl(text: string): ReceiverUrl {
  const wrong = (reason: string): Fault =>
    new Fault('bad-input', 'Parameter url was invalid.', { details: { url: reason } })
  if (!URL.canParse(text)) throw wrong('must be a URL, such as https://alerts.example.com/rookery')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('must begin with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw wrong('must carry no credentials; send them in a header')
  url.hash = ''
  return { given: text, href: url.href, host: url.host }
}

/**
 * Adds a receiver. The same URL twice in a Flock is a `conflict`, but for one that was switched off: it serves
 * again under its id, with a new secret.
 */
export async function addReceiver(
  tx: Tx,
  { vault, world }: Needs,
  flockId: string,
  url: ReceiverUrl,
  headers: Readonly<Record<string, string>>,
): Promise<{ webhookId: string; secret: string }> {
  const urlHash = vault.digest('url', url.href)
  const known = await findReceiverByUrl(tx.query, flockId, urlHash)
  if (known?.disabled_reason === '') {
    throw new Fault('conflict', `The Flock already has this webhook (${known.webhook_id}).`)
  }
  if (!known && (await listReceivers(tx.query, flockId)).length >= MOST_RECEIVERS) {
    throw new Fault('conflict', `A Flock has at most ${MOST_RECEIVERS} webhooks.`)
  }
  const webhookId = known?.webhook_id ?? hex(world.random, 16)
  const secret = newSecret(world.random)
  const seal = (column: Parameters<typeof receiverPlace>[0], text: string): string =>
    vault.seal(text, receiverPlace(column, webhookId))
  const names = Object.keys(headers)
  await putReceiver(tx, {
    webhook_id: webhookId,
    flock_id: flockId,
    kind: 'generic',
    url_hash: urlHash,
    sealed_url: seal('sealed_url', url.given),
    host: url.host,
    header_names: JSON.stringify(names),
    sealed_headers: names.length === 0 ? '' : seal('sealed_headers', JSON.stringify(headers)),
    sealed_secret: seal('sealed_secret', secret),
    created_at: known?.created_at ?? world.clock.now(),
    disabled_reason: '',
    failing_since: null,
  })
  return { webhookId, secret }
}

/** Removes a receiver; what waits for it is dropped. */
export async function dropReceiver(
  tx: Tx,
  { vault }: Needs,
  flockId: string,
  url: ReceiverUrl,
): Promise<void> {
  const row = required(await findReceiverByUrl(tx.query, flockId, vault.digest('url', url.href)), NOT_THERE)
  await endWaiting(tx, row.webhook_id, 'dropped', 'The webhook was removed.')
  await removeReceiver(tx, row.webhook_id)
}

/** Really sends a dummy incident; a failure is a `bad-input` with the reason. */
export async function testReceiver(
  { reader, vault, world }: Needs,
  { consoleUrl, timeoutMs, probe }: Alerts,
  flock: Flock,
  url: ReceiverUrl,
): Promise<void> {
  const row = await findReceiverByUrl(reader, flock.flock_id, vault.digest('url', url.href))
  const target: Target = row ? openReceiver(vault, row) : { url: url.href, headers: {}, secret: undefined }
  const message = testPayload({ id: flock.flock_id, name: flock.name }, world.clock.now(), consoleUrl())
  const { passed, reason } = await post(world, target, newMessageId(world.random), message, timeoutMs)
  if (!passed)
    throw new Fault('bad-input', `The test was not delivered: ${reason}`, { details: { url: reason } })
  if (row) probe(row.webhook_id)
}
