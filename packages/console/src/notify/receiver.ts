// A receiver with its secrets open, as long as the configuration stands.
import type { Base } from '../base.ts'
import type { Vault } from '../secrets/vault.ts'
import { readSettings } from '../stores/settings/store.ts'
import { findReceiver, loadServing, type ReceiverRow } from '../stores/webhooks/store.ts'

export interface Receiver {
  readonly webhookId: string
  readonly flockId: string
  readonly url: string
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a URL that nobody registered: what is sent to it is not signed. */
  readonly secret: string | undefined
}

/** Where a receiver's secrets are sealed. */
export const receiverPlace = (
  column: 'sealed_url' | 'sealed_headers' | 'sealed_secret',
  webhookId: string,
) => ({
  table: 'webhook',
  column,
  row: webhookId,
})

export function openReceiver(vault: Vault, row: ReceiverRow): Receiver {
  const open = (column: Parameters<typeof receiverPlace>[0]): string =>
    vault.open(row[column], receiverPlace(column, row.webhook_id))
  return {
    webhookId: row.webhook_id,
    flockId: row.flock_id,
    host: row.host,
    url: open('sealed_url'),
    secret: open('sealed_secret'),
    headers: row.sealed_headers === '' ? {} : (JSON.parse(open('sealed_headers')) as Record<string, string>),
  }
}

/** Flock id → ids of the receivers that alerts go to now. */
export async function servingReceivers(
  config: Base['config'],
): Promise<ReadonlyMap<string, readonly string[]>> {
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
  const serving = (await servingReceivers(config)).get(receiver.flockId) ?? []
  return serving.includes(webhookId) ? receiver : 'off'
}
