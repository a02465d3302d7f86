// A receiver with its secrets open, as long as the configuration stands; and sealed, as it is kept.
import type { Base } from '../base.ts'
import type { Vault } from '../secrets/vault.ts'
import { readSettings } from '../stores/settings/store.ts'
import { findReceiver, loadServing, type ReceiverRow, type Serving } from '../stores/webhooks/store.ts'
import type { ReceiverKind } from '../stores/webhooks/tables.ts'

export interface Receiver {
  readonly webhookId: string
  readonly flockId: string
  readonly kind: ReceiverKind
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

type Column = 'sealed_url' | 'sealed_headers' | 'sealed_secret' | 'sealed_settings'

/** Where a receiver's secrets are sealed. */
const place = (column: Column, webhookId: string) => ({ table: 'webhook', column, row: webhookId })

/** A receiver as it is kept; `known` is the one spelling of its URL by which it is found again. */
export function sealReceiver(
  vault: Vault,
  receiver: Receiver & { readonly known: string; readonly createdAt: number },
): ReceiverRow {
  const { webhookId, headers, settings } = receiver
  const seal = (column: Column, text: string): string =>
    text === '' ? '' : vault.seal(text, place(column, webhookId))
  const json = (texts: Readonly<Record<string, string>>): string =>
    Object.keys(texts).length === 0 ? '' : JSON.stringify(texts)
  return {
    webhook_id: webhookId,
    flock_id: receiver.flockId,
    kind: receiver.kind,
    url_hash: vault.digest('url', receiver.known),
    sealed_url: seal('sealed_url', receiver.url),
    host: receiver.host,
    header_names: JSON.stringify(Object.keys(headers)),
    sealed_headers: seal('sealed_headers', json(headers)),
    sealed_secret: seal('sealed_secret', receiver.secret),
    sealed_settings: seal('sealed_settings', json(settings)),
    created_at: receiver.createdAt,
    disabled_reason: '',
    failing_since: null,
  }
}

export function openReceiver(vault: Vault, row: ReceiverRow): Receiver {
  const open = (column: Column): string =>
    row[column] === '' ? '' : vault.open(row[column], place(column, row.webhook_id))
  const texts = (column: Column) => JSON.parse(open(column) || '{}') as Readonly<Record<string, string>>
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

/** Flock id → ids of the receivers that alerts go to now. */
export async function servingReceivers(config: Base['config']): Promise<Serving> {
  const { webhooks_enabled } = await config.get('settings', readSettings)
  return config.get('serving receivers', (db) => loadServing(db, webhooks_enabled === 'true'))
}

/** The receiver; `off` while its Flock's alerts are off, undefined when it was removed or switched off. */
export async function receiverNow(
  { config, vault }: Pick<Base, 'config' | 'vault'>,
  webhookId: string,
): Promise<Receiver | 'off' | undefined> {
  const receiver = await config.get(`receiver ${webhookId}`, async (db) => {
    const row = await findReceiver(db, webhookId)
    return row?.disabled_reason === '' ? openReceiver(vault, row) : undefined
  })
  if (!receiver) return undefined
  // It is told of no incident, and has no switch but its own.
  if (receiver.kind === 'summary') return receiver
  const serving = (await servingReceivers(config)).get(receiver.flockId) ?? []
  return serving.includes(webhookId) ? receiver : 'off'
}
