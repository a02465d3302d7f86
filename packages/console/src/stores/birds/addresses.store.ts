// Where the links of registered Birds come from.
import type { Query } from '../../db/query.ts'

export async function registeredByAddress(
  db: Query,
): Promise<{ readonly address: string; readonly birds: number }[]> {
  const rows = await db
    .selectFrom('bird')
    .select((e) => ['public_ip as address', e.fn.countAll<number>().as('birds')])
    .where('state', '=', 'registered')
    .where('public_ip', '<>', '')
    .groupBy('public_ip')
    .execute()
  return rows.map(({ address, birds }) => ({ address, birds: Number(birds) }))
}
