// What open transfers keep sealed, under another master key: passwords of uploads, addresses of mirrors.
import type { Tx } from '../../db/query.ts'
import type { Place, Vault } from '../../secrets/vault.ts'
import { isMirror } from './store.ts'

export const transferPasswordPlace = (jobId: string): Place => ({
  table: 'bird_transfer',
  column: 'password',
  row: jobId,
})

/** The address of a mirror may hold a secret, as a signed URL of a store does. */
export const transferSourcePlace = (jobId: string): Place => ({
  table: 'bird_transfer',
  column: 'source',
  row: jobId,
})

export async function rekeyTransfers(
  tx: Tx,
  from: Pick<Vault, 'open'>,
  to: Pick<Vault, 'seal'>,
): Promise<void> {
  const rows = await tx.query
    .selectFrom('bird_transfer')
    .select(['job_id', 'password', 'source'])
    .where('ended_at', 'is', null)
    .execute()
  const again = (sealed: string, place: Place): string => to.seal(from.open(sealed, place), place)
  const sealed = rows.map(({ job_id, password, source }) => ({
    job_id,
    password: password === '' ? '' : again(password, transferPasswordPlace(job_id)),
    source: isMirror(source) ? again(source, transferSourcePlace(job_id)) : source,
  }))
  await tx.updateMany('bird_transfer', ['job_id'], sealed)
}
