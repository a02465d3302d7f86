// A receiver with its secrets open, and sealed, as it is kept.
import type { Vault } from '../secrets/vault.ts'
import { receiverPlace, type SealedColumn } from '../stores/webhooks/rekey.store.ts'
import type { ReceiverAttention, ReceiverRow } from '../stores/webhooks/store.ts'

export interface Receiver {
  readonly webhookId: string
  readonly flockId: string
  readonly kind: string
  /** Where it is, in the form that its kind has for it. */
  readonly url: string
  /** The part of the URL that everybody may see. */
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  /** What its kind signs or authorises itself with; empty for none. */
  readonly secret: string
  /** What else its kind keeps. */
  readonly settings: Readonly<Record<string, string>>
}

/** A receiver as it is kept; `urlKey` is the one spelling of its URL by which it is found again. */
export function sealReceiver(
  vault: Vault,
  receiver: Receiver & {
    readonly urlKey: string
    readonly createdAt: number
    readonly attention: ReceiverAttention
  },
): ReceiverRow {
  const { webhookId, headers, settings } = receiver
  const seal = (column: SealedColumn, text: string): string =>
    text === '' ? '' : vault.seal(text, receiverPlace(column, webhookId))
  const json = (texts: Readonly<Record<string, string>>): string =>
    Object.keys(texts).length === 0 ? '' : JSON.stringify(texts)
  return {
    webhook_id: webhookId,
    flock_id: receiver.flockId,
    kind: receiver.kind,
    url_hash: vault.digest('url', receiver.urlKey),
    sealed_url: seal('sealed_url', receiver.url),
    host: receiver.host,
    header_names: JSON.stringify(Object.keys(headers)),
    sealed_headers: seal('sealed_headers', json(headers)),
    sealed_secret: seal('sealed_secret', receiver.secret),
    sealed_settings: seal('sealed_settings', json(settings)),
    created_at: receiver.createdAt,
    disabled_reason: '',
    failing_since: null,
    ...receiver.attention,
  }
}

export function openReceiver(vault: Vault, row: ReceiverRow): Receiver {
  const open = (column: SealedColumn): string =>
    row[column] === '' ? '' : vault.open(row[column], receiverPlace(column, row.webhook_id))
  const texts = (column: SealedColumn) => JSON.parse(open(column) || '{}') as Readonly<Record<string, string>>
  return {
    webhookId: row.webhook_id,
    flockId: row.flock_id,
    kind: row.kind,
    host: row.host,
    url: open('sealed_url'),
    secret: open('sealed_secret'),
    headers: texts('sealed_headers'),
    settings: texts('sealed_settings'),
  }
}
