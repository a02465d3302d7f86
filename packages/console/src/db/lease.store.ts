// Work that only one console may do at a time: every query on its table.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query, Tx } from './query.ts'

/** Takes the lease, or renews it; false while another holder's runs. */
export async function takeLease(
  tx: Tx,
  name: string,
  holder: string,
  now: number,
  until: number,
): Promise<boolean> {
  const held = await tx.query.selectFrom('lease').selectAll().where('name', '=', name).executeTakeFirst()
  if (held && held.holder !== holder && held.until > now) return false
  await tx.insertMany('lease', [{ name, holder, until }], { key: ['name'], then: 'replace' })
  return true
}

/** Gives the lease back, so that another console need not wait for its end. */
export async function dropLease(tx: Tx, name: string, holder: string): Promise<void> {
  await tx.query.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute()
}

/** The leases that some console holds at `now`. */
export async function heldLeases(db: Query, now: number): Promise<string[]> {
  const rows = await db.selectFrom('lease').select('name').where('until', '>', now).execute()
  return rows.map(({ name }) => name)
}

/** Throws `conflict` while a console holds a lease: for commands that need every console stopped. */
export async function refuseWhileServed(db: Query, place: string, now: number): Promise<void> {
  if ((await heldLeases(db, now)).length > 0)
    throw new Fault(
      'conflict',
      `A console runs on ${place}, or was killed within the last seconds. Stop every console, and run this again.`,
    )
}
