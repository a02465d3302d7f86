// Receivers of alerts under another master key.
import type { Tx } from '../../db/query.ts'
import type { Place, Vault } from '../../secrets/vault.ts'

/** The columns of a receiver that are sealed. */
const SEALED_COLUMNS = ['sealed_url', 'sealed_headers', 'sealed_secret', 'sealed_settings'] as const

export type SealedColumn = (typeof SEALED_COLUMNS)[number]

/** Where a column of a receiver is sealed. */
export const receiverPlace = (column: SealedColumn, webhookId: string): Place => ({
  table: 'webhook',
  column,
  row: webhookId,
})

export async function rekeyReceivers(tx: Tx, from: Vault, to: Vault): Promise<void> {
  const rows = await tx.query
    .selectFrom('webhook')
    .select(['webhook_id', 'url_hash', ...SEALED_COLUMNS])
    .execute()
  const reseal = (text: string, place: Place): string =>
    text === '' ? '' : to.seal(from.open(text, place), place)
  await tx.updateMany(
    'webhook',
    ['webhook_id'],
    rows.map((row) => ({
      webhook_id: row.webhook_id,
      url_hash: to.renewDigest('url', row.url_hash),
      ...Object.fromEntries(
        SEALED_COLUMNS.map((column) => [column, reseal(row[column], receiverPlace(column, row.webhook_id))]),
      ),
    })),
  )
}
