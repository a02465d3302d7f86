// Settings of a token that operations of their own change. Ingest sees the change with the next touch.
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { Tx } from '../../db/query.ts'
import { changeToken, type TokenRow } from '../../stores/tokens/store.ts'

export const storedSettings = ({ settings }: Pick<TokenRow, 'settings'>): TokenSettings =>
  JSON.parse(settings) as TokenSettings

/** Changes these settings, and leaves the others. */
export async function changeSettings(tx: Tx, row: TokenRow, changed: TokenSettings): Promise<void> {
  const settings = JSON.stringify({ ...storedSettings(row), ...changed })
  await changeToken(tx.query, row.token_id, { settings, updated_id: await tx.updatedIds(1) })
  await tx.configChanged()
}
