// Where the links of registered Birds come from, and where Birds stand.
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

/** Addresses of Birds, as they report them and as their links come in. */
export async function addressesOfBirds(db: Query): Promise<string[]> {
  const rows = await db.selectFrom('bird').select(['ip_address', 'public_ip']).execute()
  return rows
    .flatMap(({ ip_address, public_ip }) => [...ip_address.split(','), public_ip])
    .map((it) => it.trim())
    .filter((it) => it !== '')
}
