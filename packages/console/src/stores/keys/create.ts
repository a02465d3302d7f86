// A new key: hashed so that it is found, sealed so that it can be read again, unless keys are shown once.
import type { Tx } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'
import { addKey, type KeyRow } from './store.ts'
import type { KeyType } from './tables.ts'

export interface NewKey {
  readonly keyId: string
  /** 32 hex digits. */
  readonly key: string
  readonly type: KeyType
  readonly note: string
  readonly flockId?: string
  readonly allowedIpRanges?: string
  readonly createdAt: number
  readonly createdBy: string
  readonly expiresAt?: number
  /** Whether the key itself is stored, sealed (`ROOKERY_KEYS=recoverable`). */
  readonly keep: boolean
}

export const keyPlace = (keyId: string) => ({ table: 'api_key', column: 'sealed_key', row: keyId })

/** Stores the key; every console clears its caches. Answers the row. */
export async function createKey(tx: Tx, vault: Vault, key: NewKey): Promise<KeyRow> {
  const row: KeyRow = {
    key_id: key.keyId,
    key_hash: vault.digest('key', key.key),
    sealed_key: key.keep ? vault.seal(key.key, keyPlace(key.keyId)) : '',
    type: key.type,
    note: key.note,
    flock_id: key.flockId ?? '',
    allowed_ip_ranges: key.allowedIpRanges ?? '',
    created_at: key.createdAt,
    created_by: key.createdBy,
    expires_at: key.expiresAt ?? null,
    last_used_at: null,
  }
  await addKey(tx.query, row)
  await tx.configChanged()
  return row
}
