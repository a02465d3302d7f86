// Very many incidents on either engine, straight into the tables of a stopped console: ten million touches would take an hour.
// A thousand Birds in ten Flocks; half of the sources are seen once, the others are a thousand that come again and again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { UNIT_SEPARATOR } from '@rookery/console/stores/incidents/write.store.ts'
import { incidentNames } from '@rookery/console/secrets/incident-name.ts'
import { parseMasterKey } from '@rookery/console/secrets/master-key.ts'
import { openVault } from '@rookery/console/secrets/vault.ts'
import { incidentKey } from '@rookery/kernel/ids.ts'
import { systemRandom } from '@rookery/console/world/system.ts'
import type { OnEngine } from './engines.ts'

export interface SeededIncidents {
  readonly flockIds: readonly string[]
  readonly incidents: number
  /** Keys of incidents spread over all of them. */
  readonly keys: readonly string[]
  readonly hashIds: readonly string[]
  /** Seconds it took. */
  readonly seconds: number
}

export const FLOCKS = 10
const NODES = 1_000
const SPACING_MS = 1_000
const PIECE = 500_000
/** Incidents with an event: so many at the beginning, in the middle of the last half, at the end. */
const WITH_EVENTS = 20_000
const SAMPLES = 2_000

export const nodeId = (node: number): string => `5eed${String(10 ** 12 + node * 7919).slice(1)}`

/** Fills the database of a console that is not running; it must have run once, for the schema and the Flocks. */
export async function seedMany(
  on: Pick<OnEngine, 'engine' | 'folder' | 'rows'>,
  incidents: number,
  flockIds: readonly string[],
): Promise<SeededIncidents> {
  const startedAt = performance.now()
  const tables = tablesOf(on)
  const firstAt = Date.now() - (incidents + 60) * SPACING_MS
  const ours = `WHERE tablename IN ('incident_fact', 'incident_state', 'incident_event') AND indexdef NOT LIKE '%pkey%'`
  const indexes = await tables.rows<{ name: string; text: string }>(
    on.engine === 'sqlite'
      ? `SELECT name, sql AS text FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('incident_fact', 'incident_state') AND sql IS NOT NULL`
      : `SELECT indexname AS name, indexdef AS text FROM pg_indexes ${ours}`,
  )
  for (const { name } of indexes) await tables.rows(`DROP INDEX ${name}`)
  for (let from = 1; from <= incidents; from += PIECE) {
    const to = Math.min(incidents, from + PIECE - 1)
    for (const [table, columns] of Object.entries(columnsOf(firstAt, flockIds)))
      await tables.rows(`INSERT INTO ${table} (${Object.keys(columns).join(', ')})
        SELECT ${Object.values(columns).join(', ')} FROM ${numbersAs(on, from, to)}`)
  }
  await tables.rows(`INSERT INTO search_text (text_id, logtype, node_id, text)
    SELECT id, ${textOf('id').logtype}, ${textOf('id').node_id}, ${textOf('id').text} FROM ${numbersAs(on, 0, NODES * KINDS.length - 1)}`)
  for (const from of [1, Math.floor(incidents * 0.75), incidents - WITH_EVENTS]) {
    await tables.rows(`INSERT INTO incident_event (incident_id, slot, nth, at, received_at, body)
      SELECT incident_id, 1, 1, created_at, created_at, '{"USERNAME":"root","PASSWORD":"toor"}' FROM incident
      WHERE incident_id >= ${from} AND incident_id < ${from + WITH_EVENTS} ON CONFLICT DO NOTHING`)
  }
  const named = await nameSamples(tables, on.folder, incidents, firstAt)
  for (const { text } of indexes) await tables.rows(text)
  await tables.rows('DELETE FROM incident_count')
  await tables.rows(`INSERT INTO incident_count (flock_id, acknowledged, n)
    SELECT flock_id, acknowledged, count(*) FROM incident_state GROUP BY flock_id, acknowledged`)
  await tables.rows(`UPDATE commit_sequence SET updated_id = ${incidents} WHERE updated_id < ${incidents}`)
  if (on.engine === 'postgres') await tables.rows('VACUUM ANALYZE')
  tables.close?.()
  return { flockIds, incidents, ...named, seconds: (performance.now() - startedAt) / 1_000 }
}

/** The whole numbers `from` … `to` as a relation `n (id)`. */
export const numbersAs = ({ engine }: Pick<OnEngine, 'engine'>, from: number, to: number): string =>
  engine === 'sqlite'
    ? `(WITH RECURSIVE n(id) AS (SELECT ${from} UNION ALL SELECT id + 1 FROM n WHERE id < ${to}) SELECT id FROM n) AS n`
    : `generate_series(${from}::bigint, ${to}::bigint) AS n (id)`

/** The tables of a console that is not running, to be written. */
export const tablesOf = (on: Pick<OnEngine, 'engine' | 'folder' | 'rows'>): Tables =>
  on.engine === 'sqlite' ? sqliteTables(on.folder) : on

interface Tables {
  rows<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  close?(): void
}

function sqliteTables(folder: string): Tables {
  const db = new DatabaseSync(join(folder, 'rookery.db'))
  // Nothing here must survive a power cut.
  db.exec('PRAGMA synchronous=OFF; PRAGMA cache_size=-400000; PRAGMA temp_store=FILE')
  return {
    rows: <R>(text: string, values: readonly unknown[] = []) =>
      Promise.resolve(db.prepare(text).all(...(values as (string | number)[])) as R[]),
    close() {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      db.close()
    },
  }
}

const KINDS = [
  ['4002', 'SSH Login Attempt'],
  ['4002', 'SSH Login Attempt'],
  ['4002', 'SSH Login Attempt'],
  ['3000', 'HTTP Page Load'],
  ['3001', 'HTTP Login Attempt'],
  ['5003', 'Host Port Scan'],
  ['21001', 'Redis Command'],
  ['6001', 'Telnet Login Attempt'],
] as const

/** The texts of a search by their number, in SQL that both engines read. */
function textOf(textId: string) {
  const kind = `(${textId} % ${KINDS.length})`
  const node = `(${textId} / ${KINDS.length})`
  const [logtype, summary] = [pick(kind, 0), pick(kind, 1)]
  const texts = [summary, nodeText(node), birdName(node), address(node)]
  return { logtype, node_id: nodeText(node), text: `lower(${texts.join(` || '${UNIT_SEPARATOR}' || `)})` }
}

const pick = (kind: string, column: 0 | 1): string =>
  `CASE ${kind} ${KINDS.map((texts, at) => `WHEN ${at} THEN '${texts[column]}'`).join(' ')} ELSE '' END`
const nodeText = (node: string): string =>
  `('5eed' || substr(CAST(1000000000000 + ${node} * 7919 AS TEXT), 2))`
const birdName = (node: string): string => `'bird-' || ${node}`
const address = (node: string): string => `'192.168.' || (${node} / 250) || '.' || (${node} % 250)`

/** The value of each column of each table, in SQL that both engines read, from the number `id`. */
function columnsOf(
  firstAt: number,
  flockIds: readonly string[],
): Record<'incident_fact' | 'incident_state', Record<string, string>> {
  const node = `(id % ${NODES})`
  const kind = `(id / 3 % ${KINDS.length})`
  const textId = `(${node} * ${KINDS.length} + ${kind})`
  const flock = flockIds.map((flockId, at) => `WHEN ${at} THEN '${flockId}'`).join(' ')
  const source = `(CASE WHEN id % 2 = 0
    THEN '10.' || ((id >> 16) & 255) || '.' || ((id >> 8) & 255) || '.' || (id & 255)
    ELSE '172.16.' || (id % 1000 / 250) || '.' || (id % 250) END)`
  const createdAt = `(${firstAt} + id * ${SPACING_MS})`
  const number = `substr(CAST(10000000000000000 + id AS TEXT), 2)`
  return {
    incident_fact: {
      incident_id: 'id',
      incident_key: `'incident:sshlogin:' || ${number} || '00000000:' || ${source} || ':' || (${createdAt} / 1000)`,
      hash_id: `${number} || ${number}`,
      logtype: pick(kind, 0),
      summary: pick(kind, 1),
      node_id: nodeText(node),
      name: birdName(node),
      src_port: '40000 + id % 1000',
      dst_host: address(node),
      dst_port: '22',
      ip_address: address(node),
      ippers: `''`,
      mac_address: `'02:00:00:00:00:05'`,
      created_at: createdAt,
      agg_key: `${source} || '|' || ${nodeText(node)} || '|ssh|4002'`,
    },
    incident_state: {
      incident_id: 'id',
      text_id: textId,
      src_host: source,
      flock_id: `CASE (id % ${flockIds.length}) ${flock} ELSE '' END`,
      created_at: createdAt,
      updated_at: createdAt,
      updated_id: 'id',
      events_count: '1',
      acknowledged: `(id / ${flockIds.length}) % 2`,
      last_at: createdAt,
    },
  }
}

/** Gives some incidents the names that their numbers really have, so that they can be looked up. */
async function nameSamples(
  tables: Tables,
  folder: string,
  incidents: number,
  firstAt: number,
): Promise<{ keys: string[]; hashIds: string[] }> {
  const key = parseMasterKey(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'master.key')
  const names = incidentNames(openVault(key, systemRandom))
  const keys: string[] = []
  const hashIds: string[] = []
  for (let n = 1; n <= SAMPLES; n++) {
    const id = Math.max(1, Math.floor((incidents * n) / SAMPLES))
    const { keyPart, hashId } = names.of(id)
    const made = incidentKey('sshlogin', keyPart, '10.0.0.1', firstAt + id * SPACING_MS)
    keys.push(made)
    hashIds.push(hashId)
    await tables.rows(
      `UPDATE incident_fact SET incident_key = '${made}', hash_id = '${hashId}' WHERE incident_id = ${id}`,
    )
  }
  return { keys, hashIds }
}
