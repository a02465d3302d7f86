// API keys under another master key.
import type { Tx } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'
import { keyPlace } from './create.ts'
import { listKeys } from './store.ts'

/** Hashes and seals every key anew. Of a key that is shown once only the hash is stored, which is enough. */
export async function rekeyKeys(tx: Tx, from: Vault, to: Vault): Promise<void> {
  const rows = (await listKeys(tx.query)).map(({ key_id, key_hash, sealed_key }) => ({
    key_id,
    key_hash: to.renewDigest('key', key_hash),
    sealed_key: sealed_key === '' ? '' : to.seal(from.open(sealed_key, keyPlace(key_id)), keyPlace(key_id)),
  }))
  await tx.updateMany('api_key', ['key_id'], rows)
}
