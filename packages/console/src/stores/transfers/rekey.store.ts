// Passwords of open uploads under another master key.
import type { Tx } from '../../db/query.ts'
import type { Place, Vault } from '../../secrets/vault.ts'

export const transferPasswordPlace = (jobId: string): Place => ({
  table: 'bird_transfer',
  column: 'password',
  row: jobId,
})

export async function rekeyTransfers(
  tx: Tx,
  from: Pick<Vault, 'open'>,
  to: Pick<Vault, 'seal'>,
): Promise<void> {
  const rows = await tx.query
    .selectFrom('bird_transfer')
    .select(['job_id', 'password'])
    .where('ended_at', 'is', null)
    .where('password', '<>', '')
    .execute()
  const sealed = rows.map(({ job_id, password }) => {
    const place = transferPasswordPlace(job_id)
    return { job_id, password: to.seal(from.open(password, place), place) }
  })
  await tx.updateMany('bird_transfer', ['job_id'], sealed)
}
