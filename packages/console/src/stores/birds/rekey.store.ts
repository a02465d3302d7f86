// Enrolment codes and secret settings of Birds under another master key.
import type { Tx } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'
import { openSecrets, sealSecrets } from './secret-settings.ts'
import type { Settings } from './settings.ts'

export async function rekeyEnrolments(tx: Tx, to: Pick<Vault, 'renewDigest'>): Promise<void> {
  const rows = await tx.query.selectFrom('enrolment').select(['enrolment_id', 'code_hash']).execute()
  await tx.updateMany(
    'enrolment',
    ['enrolment_id'],
    rows.map((row) => ({ ...row, code_hash: to.renewDigest('enrolment', row.code_hash) })),
  )
}

/** Seals the secret settings of every Bird anew. */
export async function rekeyBirds(tx: Tx, from: Vault, to: Vault): Promise<void> {
  const birds = await tx.query.selectFrom('bird').select(['node_id', 'settings']).execute()
  for (const { node_id, settings } of birds) {
    const sealed = JSON.parse(settings || '{}') as Settings
    const opened = openSecrets(from, node_id, sealed)
    if (opened === sealed) continue
    await tx.query
      .updateTable('bird')
      .set({ settings: JSON.stringify(sealSecrets(to, node_id, opened)) })
      .where('node_id', '=', node_id)
      .execute()
  }
}
