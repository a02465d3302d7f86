// A database with very many Birds, straight into the table of a console that has made its schema.
import type { OnEngine } from './engines.ts'
import { numbersAs, tablesOf } from './seeded.ts'

/** Registered Birds, seen a moment ago, each with an address and texts of its own. */
export async function seedBirds(on: OnEngine, birds: number): Promise<void> {
  const now = Date.now()
  const hex = `('5eed' || substr(CAST(1000000000000 + id AS TEXT), 2))`
  const values: Record<string, string> = {
    node_id: hex,
    public_key: `${hex} || ${hex} || ${hex} || ${hex}`,
    device_id_hash: `${hex} || '01234567'`,
    state: `'registered'`,
    flock_id: `'flock:default'`,
    name: `'bird-' || id`,
    description: `'Files of building ' || (id % 97)`,
    location: `'Room ' || (id % 971)`,
    version: `'3.0.0'`,
    ip_address: `'10.' || (id / 65536 % 256) || '.' || (id / 256 % 256) || '.' || (id % 256)`,
    ippers: `'10.' || (id / 65536 % 256) || '.' || (id / 256 % 256) || '.' || (id % 256)`,
    netmask: `'255.255.255.0'`,
    mac_address: `'02:00:00:00:00:05'`,
    public_ip: `CASE id % 2 WHEN 0 THEN '' ELSE '198.51.100.' || (id % 256) END`,
    first_seen_at: `${now - 86_400_000} + id`,
    registered_at: `${now - 86_000_000} + id`,
    queued_at: `${now - 86_400_000} + id`,
    last_seen_at: `${now} - id % 30000`,
    updated_at: `${now} - id % 30000`,
    booted_at: `${now - 80_000_000} + id`,
    live: '1',
    service_count: '5',
  }
  const tables = tablesOf(on)
  await tables.rows(`INSERT INTO bird (${Object.keys(values).join(', ')})
    SELECT ${Object.values(values).join(', ')} FROM ${numbersAs(on, 1, birds)}`)
  tables.close?.()
}
