// G10: backups of a serving console under load, each restored elsewhere and compared.
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { nodePath, root } from '../../../tools/clone.mjs'
import { startConsole, type RunningConsole } from '../../rig/scenes/console.ts'
import { openLoader, visitRequest, type Loader } from '../../rig/load/load.ts'
import { sourceText } from '../../rig/load/sources.ts'
import { reading } from '../../rig/scenes/stored.ts'
import { plantTokens } from '../../rig/scenes/tokens.ts'
import type { InstalledPostgres } from './installed-postgres.ts'

export interface Backups {
  readonly backups: number
  /** Hits acknowledged before a backup began, over all of them, and how many of those a copy lacks. */
  readonly hits: number
  readonly lost: number
  /** Hits of a copy that occur twice. */
  readonly doubled: number
  /** Incidents that a copy lacks or has too much, by the last number of its snapshot. */
  readonly otherIncidents: number
  /** What does not fit together within a copy, in words. */
  readonly half: readonly string[]
  /** Rows that only one of the original and its backup at rest has, each with its table. */
  readonly otherRows: readonly string[]
  readonly rowsCompared: number
  /** Hits answered while the backups were made. */
  readonly meanwhile: number
}

export interface BackupOptions {
  readonly backups: number
  readonly folder: string
  /** SQLite without. */
  readonly postgres?: InstalledPostgres
}

/** One installation: its folder, and its database elsewhere. */
interface Place {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  rows<R>(text: string): Promise<R[]>
}

const TOKENS = 200
const CONNECTIONS = 8
const PIECE_MS = 150
const MASTER_KEY = 'ab'.repeat(32)
/** A restored copy goes on behind every number that was given out. */
const SKIPPED = 2 ** 32

export async function backUpUnderLoad({ backups, folder, postgres }: BackupOptions): Promise<Backups> {
  const original = await openPlace(folder, 'original', postgres)
  const loader = openLoader()
  let console: RunningConsole | undefined
  try {
    console = await startConsole({ dataDir: original.dataDir, env: original.env })
    const load = startLoad(console, loader, (await plantTokens(console, TOKENS)).map(visitRequest))
    const found: Compared[] = []
    for (let nth = 1; nth <= backups; nth++) {
      const before = await load.answered()
      await rookery(original, 'backup', join(folder, `backup${nth}`))
      const copy = await openPlace(folder, `copy${nth}`, postgres)
      await rookery(copy, 'restore', join(folder, `backup${nth}`))
      found.push(await compare(original, copy, before))
    }
    const meanwhile = await load.stop()
    // A console writes by itself: when channels were used, which visits go on.
    await console.stop()
    const atRest = await compareAtRest(original, folder, postgres)
    const sum = (of: (it: Compared) => number): number => found.reduce((total, it) => total + of(it), 0)
    return {
      backups: found.length,
      hits: sum((it) => it.hits),
      lost: sum((it) => it.lost),
      doubled: sum((it) => it.doubled),
      otherIncidents: sum((it) => it.otherIncidents),
      half: found.flatMap((it) => it.half),
      ...atRest,
      meanwhile,
    }
  } finally {
    loader.stop()
    await console?.kill()
  }
}

async function openPlace(folder: string, name: string, postgres?: InstalledPostgres): Promise<Place> {
  const dataDir = join(folder, name)
  mkdirSync(dataDir, { mode: 0o700 })
  const key = { ROOKERY_MASTER_KEY: MASTER_KEY }
  if (!postgres) {
    const rows = <R>(text: string): Promise<R[]> =>
      Promise.resolve(reading(dataDir, (db) => db.prepare(text).all() as R[]))
    return { dataDir, env: key, rows }
  }
  const url = await postgres.createDatabase(name)
  return {
    dataDir,
    env: {
      ...key,
      ROOKERY_DATABASE_URL: url,
      PATH: `${postgres.programs}${delimiter}${process.env['PATH'] ?? ''}`,
    },
    async rows<R>(text: string) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query(text)
      await client.end()
      return rows as R[]
    },
  }
}

/** A command of the operator, on this installation; throws what it printed when it fails. */
async function rookery({ dataDir, env }: Place, ...command: readonly string[]): Promise<void> {
  const program = ['--disable-warning=ExperimentalWarning', join(root, '.build/rookery.mjs'), ...command]
  await promisify(execFile)(nodePath(), program, {
    env: { PATH: process.env['PATH'], ROOKERY_DATA_DIR: dataDir, ...env },
  })
}

/** Hits in pieces without a pause, and next to them changes by people. */
function startLoad(console: RunningConsole, loader: Loader, requests: readonly string[]) {
  const answered: number[] = []
  let firstSource = 0
  let isOver = false
  let pieceEnded = Promise.withResolvers<void>()
  const hitting = (async () => {
    while (!isOver) {
      const load = await loader.run({
        host: '127.0.0.1',
        port: console.tokensPort,
        connections: CONNECTIONS,
        requests,
        firstSource,
        ms: PIECE_MS,
        tellSources: true,
      })
      firstSource = load.nextSource
      answered.push(...load.answered)
      pieceEnded.resolve()
      pieceEnded = Promise.withResolvers<void>()
    }
  })()
  const changing = (async () => {
    for (let nth = 0; !isOver; nth++) {
      const { json } = await console.get('/incidents/unacknowledged', { limit: 5, event_limit: 0 })
      for (const { id } of (json['incidents'] ?? []) as { id: string }[])
        await console.post('/incident/acknowledge', { incident: id })
      await console.post('/decoytoken/factory/create', { kind: 'http', memo: `made meanwhile ${nth}` })
    }
  })()
  return {
    /** Those of whole pieces, at least one more than before. */
    async answered() {
      await pieceEnded.promise
      return answered.slice()
    },
    async stop() {
      isOver = true
      await Promise.all([hitting, changing])
      return answered.length
    },
  }
}

type Compared = Pick<Backups, 'hits' | 'lost' | 'doubled' | 'otherIncidents' | 'half'>

async function compare(original: Place, copy: Place, before: readonly number[]): Promise<Compared> {
  const bodies = await copy.rows<{ body: string }>('SELECT body FROM incident_event')
  const sources = new Map<string, number>()
  for (const { body } of bodies) {
    const { src_host } = JSON.parse(body) as { src_host?: string }
    if (src_host !== undefined) sources.set(src_host, (sources.get(src_host) ?? 0) + 1)
  }
  const [sequence] = await copy.rows<{ n: number | string }>('SELECT updated_id AS n FROM commit_sequence')
  const last = Number(sequence?.n) - SKIPPED
  const ids = async (place: Place): Promise<string[]> =>
    (
      await place.rows<{ text: string }>(
        `SELECT CAST(incident_id AS TEXT) || ' ' || incident_key AS text FROM incident_fact WHERE incident_id <= ${last}`,
      )
    ).map(({ text }) => text)
  const [wanted, real] = [new Set(await ids(original)), new Set(await ids(copy))]
  const total = await numberOf(copy, 'SELECT count(*) AS n FROM incident_fact')
  return {
    hits: before.length,
    lost: before.filter((source) => !sources.has(sourceText(source))).length,
    doubled: [...sources.values()].filter((n) => n > 1).length,
    otherIncidents:
      [...wanted].filter((id) => !real.has(id)).length +
      [...real].filter((id) => !wanted.has(id)).length +
      (total - real.size),
    half: await halves(copy),
  }
}

/** Claims that each transaction keeps, as two numbers that must be equal. */
const CLAIMS: readonly (readonly [string, string, string])[] = [
  [
    'facts and states of incidents',
    'SELECT count(*) AS n FROM incident_fact',
    'SELECT count(*) AS n FROM incident_state s JOIN incident_fact f ON f.incident_id = s.incident_id',
  ],
  [
    'events counted and kept',
    'SELECT coalesce(sum(events_count), 0) AS n FROM incident',
    'SELECT count(*) AS n FROM incident_event',
  ],
  [
    'incidents and their counts by Flock',
    'SELECT count(*) AS n FROM incident_state',
    'SELECT coalesce(sum(n), 0) AS n FROM incident_count',
  ],
]

async function halves(copy: Place): Promise<string[]> {
  const half: string[] = []
  for (const [claim, one, other] of CLAIMS) {
    const [a, b] = [await numberOf(copy, one), await numberOf(copy, other)]
    if (a !== b) half.push(`${claim}: ${a} and ${b}`)
  }
  // It serves; and `doctor` looks at the schema, the master key, the file itself and the chain of the audit trail.
  try {
    const console = await startConsole({ dataDir: copy.dataDir, env: copy.env })
    await console.stop()
    await rookery(copy, 'doctor')
  } catch (error) {
    half.push(`${(error as Error).message} ${String((error as { stdout?: unknown }).stdout ?? '')}`)
  }
  return half
}

const numberOf = async (place: Place, text: string): Promise<number> =>
  Number((await place.rows<{ n: number | string }>(text))[0]?.n)

/** What a restore and a running console change by themselves: tables, and a row of `meta`. */
const OWN_TABLES = new Set(['commit_sequence', 'last_commit', 'lease'])
const OWN_ROW = /^\{"name":"restored_at"/

/** Nothing is going on any more: each row of each table must be there as it is. */
async function compareAtRest(
  original: Place,
  folder: string,
  postgres?: InstalledPostgres,
): Promise<Pick<Backups, 'otherRows' | 'rowsCompared'>> {
  await rookery(original, 'backup', join(folder, 'backup-at-rest'))
  const copy = await openPlace(folder, 'at_rest', postgres)
  await rookery(copy, 'restore', join(folder, 'backup-at-rest'))
  const names = postgres
    ? `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`
    : `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  const otherRows: string[] = []
  let rowsCompared = 0
  for (const { name } of await original.rows<{ name: string }>(names)) {
    if (OWN_TABLES.has(name)) continue
    const [wanted, real] = [await rowsOf(original, name), await rowsOf(copy, name)]
    rowsCompared += wanted.length
    const left = new Map<string, number>()
    for (const row of wanted) left.set(row, (left.get(row) ?? 0) + 1)
    for (const row of real) left.set(row, (left.get(row) ?? 0) - 1)
    for (const [row, n] of left)
      if (n !== 0) otherRows.push(`${name} ${n > 0 ? 'of the original' : 'of the backup'}: ${row}`)
  }
  return { otherRows, rowsCompared }
}

const rowsOf = async (place: Place, table: string): Promise<string[]> =>
  (await place.rows<object>(`SELECT * FROM ${table}`))
    .map((row) => JSON.stringify(row))
    .filter((row) => !OWN_ROW.test(row))
