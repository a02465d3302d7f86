// What the end of a provider's resource needs, such as a key: sealed in its row.
import type { Tx } from '../../db/query.ts'
import type { Place, Vault } from '../../secrets/vault.ts'
import { sealedResources, storeHandles, type ResourceRow } from '../../stores/providers/resources.store.ts'

const placeOf = (tokenId: string): Place => ({
  table: 'provider_resource',
  column: 'sealed_handle',
  row: tokenId,
})

/** The text of the column; empty for nothing. */
export const sealHandle = (vault: Pick<Vault, 'seal'>, tokenId: string, handle: string): string =>
  handle === '' ? '' : vault.seal(handle, placeOf(tokenId))

/** What was sealed; throws `unavailable` where it does not open. */
export const openHandle = (
  vault: Pick<Vault, 'open'>,
  { token_id, sealed_handle }: Pick<ResourceRow, 'token_id' | 'sealed_handle'>,
): string => (sealed_handle === '' ? '' : vault.open(sealed_handle, placeOf(token_id)))

/** Seals all of them under another master key. */
export async function rekeyHandles(tx: Tx, from: Vault, to: Vault): Promise<void> {
  const rows = await sealedResources(tx.query)
  await storeHandles(
    tx,
    rows.map((row) => ({
      token_id: row.token_id,
      sealed_handle: sealHandle(to, row.token_id, openHandle(from, row)),
    })),
  )
}
