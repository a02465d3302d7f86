// A database with very many incidents, made by copying a real one: rows get ids, times, sources and Flocks of their own.
// Straight into the tables of a stopped console, since a million touches would take minutes.
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { startConsole, type RunningConsole } from './console.ts'
import { makeFlocks } from './flocks.ts'
import { getRequest, openLoader } from '../load/load.ts'
import { plantTokens } from './tokens.ts'

export interface Seeded {
  /** The Flocks over which the incidents are spread evenly; of each, every second incident is unacknowledged. */
  readonly flockIds: readonly string[]
  readonly incidents: number
}

const FLOCKS = 10
const SPACING_MS = 1_000

type Row = Record<string, SQLInputValue>

/** Fills the data directory of a console that is not running. */
export async function seedIncidents(dataDir: string, incidents: number): Promise<Seeded> {
  const console = await startConsole({ dataDir })
  const flockIds = await makeFlocks(console, FLOCKS)
  await touchOnce(console)
  await console.stop()
  copyIncident(join(dataDir, 'rookery.db'), incidents, flockIds)
  return { flockIds, incidents }
}

async function touchOnce(console: RunningConsole): Promise<void> {
  const [url = ''] = await plantTokens(console, 1)
  const loader = openLoader()
  await loader.run({
    host: '127.0.0.1',
    port: console.tokensPort,
    connections: 1,
    count: 1,
    requests: [getRequest(new URL(url).pathname, { Accept: '*/*' })],
  })
  loader.stop()
}

function copyIncident(path: string, incidents: number, flockIds: readonly string[]): void {
  const db = new DatabaseSync(path)
  // Nothing here must survive a power cut.
  db.exec('PRAGMA synchronous=OFF; PRAGMA cache_size=-400000')
  const fact = db.prepare('SELECT * FROM incident_fact').get() as Row
  const state = db.prepare('SELECT * FROM incident_state').get() as Row
  const event = db.prepare('SELECT * FROM incident_event').get() as Row
  const firstAt = Date.now() - incidents * SPACING_MS
  // The model is the last and would stand among the copies.
  db.exec(
    'DELETE FROM incident_fact; DELETE FROM incident_state; DELETE FROM incident_event; DELETE FROM incident_count',
  )
  const insertFact = insertion(db, 'incident_fact', Object.keys(fact))
  const insertState = insertion(db, 'incident_state', Object.keys(state))
  const insertEvent = insertion(db, 'incident_event', Object.keys(event))

  db.exec('BEGIN')
  for (let id = 1; id <= incidents; id++) {
    const at = firstAt + id * SPACING_MS
    const hex = (id * 2_654_435_761).toString(16).padStart(16, '0')
    const source = `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`
    insertFact({
      ...fact,
      incident_id: id,
      incident_key: `incident:decoytoken:${hex}${String(id).padStart(8, '0')}:${source}:${Math.floor(at / 1000)}`,
      hash_id: hex + hex,
      created_at: at,
      agg_key: `${source}|${String(fact['node_id'])}|http|17000`,
    })
    insertState({
      ...state,
      incident_id: id,
      flock_id: flockIds[id % flockIds.length] ?? '',
      src_host: source,
      created_at: at,
      updated_at: at,
      updated_id: id,
      acknowledged: Math.floor(id / flockIds.length) % 2,
      last_at: at,
    })
    insertEvent({ ...event, incident_id: id, at, received_at: at })
  }
  db.exec(`
    INSERT INTO incident_count (flock_id, acknowledged, n)
      SELECT flock_id, acknowledged, count(*) FROM incident_state GROUP BY flock_id, acknowledged;
    UPDATE commit_sequence SET updated_id = max(updated_id, ${incidents});
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE)`)
  db.close()
}

function insertion(db: DatabaseSync, table: string, columns: readonly string[]): (row: Row) => void {
  const statement = db.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  return (row) => void statement.run(...columns.map((name) => row[name] ?? null))
}
