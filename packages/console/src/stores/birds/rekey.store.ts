// Enrolment codes under another master key.
import type { Tx } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'

export async function rekeyEnrolments(tx: Tx, to: Pick<Vault, 'renewDigest'>): Promise<void> {
  const rows = await tx.query.selectFrom('enrolment').select(['enrolment_id', 'code_hash']).execute()
  await tx.updateMany(
    'enrolment',
    ['enrolment_id'],
    rows.map((row) => ({ ...row, code_hash: to.renewDigest('enrolment', row.code_hash) })),
  )
}
