// Secrets of authenticator apps under another master key.
import type { Tx } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'
import { totpPlace } from './store.ts'

export async function rekeyFactors(tx: Tx, from: Vault, to: Vault): Promise<void> {
  const rows = await tx.query.selectFrom('totp').select(['user_id', 'sealed_secret']).execute()
  await tx.updateMany(
    'totp',
    ['user_id'],
    rows.map(({ user_id, sealed_secret }) => {
      const place = totpPlace(user_id)
      return { user_id, sealed_secret: to.seal(from.open(sealed_secret, place), place) }
    }),
  )
}
