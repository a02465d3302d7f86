// Private keys of ACME under another master key.
import type { Tx } from '../../db/query.ts'
import type { Place, Vault } from '../../secrets/vault.ts'
import { accountKeyPlace, certificateKeyPlace, storeAccount } from './store.ts'

export async function rekeyCertificates(tx: Tx, from: Vault, to: Vault): Promise<void> {
  const reseal = (sealed: string, place: Place): string =>
    sealed === '' ? '' : to.seal(from.open(sealed, place), place)
  for (const row of await tx.query.selectFrom('acme_account').selectAll().execute())
    await storeAccount(tx, { ...row, sealed_key: reseal(row.sealed_key, accountKeyPlace(row.directory)) })
  for (const { domain, sealed_key } of await tx.query
    .selectFrom('acme_certificate')
    .select(['domain', 'sealed_key'])
    .execute())
    await tx.updateMany(
      'acme_certificate',
      ['domain'],
      [{ domain, sealed_key: reseal(sealed_key, certificateKeyPlace(domain)) }],
    )
}
