// Random rows in every table of a database of SQLite, and the rows of either engine in one form to compare.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** Belong to the database itself or to the consoles on it. */
const OWN_TABLES = ['commit_sequence', 'last_commit', 'lease', 'schema_migration']
/** What they hold is sealed: the rows of a console stay as they are. */
const SEALED_TABLES = [...OWN_TABLES, 'audit', 'audit_head', 'meta']

const PIECES = [
  '',
  ' ',
  "'",
  '"',
  '\\',
  '\\x00',
  '\\u0000',
  '{',
  '}',
  '\n',
  '\t',
  '\u0001',
  'ü',
  '漢',
  '🦉',
  '%',
  '_',
  '$1',
  '?',
  'a',
  'Z',
  '0',
  'null',
]

/** Numbers from 0 to 1 (mulberry32). */
export function openChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

/** Adds up to `most` rows to each table. */
export function addRandomRows(path: string, chance: () => number, most: number): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA synchronous=OFF; BEGIN')
  for (const name of tablesOf(database).filter((it) => !SEALED_TABLES.includes(it))) {
    const columns = database.prepare(`PRAGMA table_info(${name})`).all() as unknown as Column[]
    const insert = database.prepare(
      `INSERT OR IGNORE INTO ${name} (${columns.map((it) => it.name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    for (let n = Math.ceil(chance() * most); n > 0; n--)
      insert.run(...columns.map((column) => randomValue(column, chance)))
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

function randomValue(
  { type, notnull, pk }: Column,
  chance: () => number,
): string | number | Uint8Array | null {
  const upTo = (most: number): number => Math.floor(chance() * most)
  if (notnull === 0 && pk === 0 && chance() < 0.3) return null
  if (type === 'BLOB') return Uint8Array.from({ length: upTo(5_000) }, () => upTo(256))
  if (type === 'INTEGER') return [0, 1, -1, upTo(2 ** 31), upTo(Number.MAX_SAFE_INTEGER)][upTo(5)] ?? 0
  return Array.from({ length: upTo(40) }, () => PIECES[upTo(PIECES.length)]).join('')
}

const tablesOf = (database: DatabaseSync): string[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))

export type Contents = Readonly<Record<string, readonly string[]>>

export function sqliteContents(path: string): Contents {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const names = tablesOf(database).filter((name) => !OWN_TABLES.includes(name))
    return Object.fromEntries(
      names.map((name) => [name, inOneForm(database.prepare(`SELECT * FROM ${name}`).all())]),
    )
  } finally {
    database.close()
  }
}

export async function postgresContents(url: string): Promise<Contents> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  client.setTypeParser(pg.types.builtins.INT8, Number)
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name COLLATE "C"`,
    )
    const contents: Record<string, readonly string[]> = {}
    for (const { name } of tables.rows)
      if (!OWN_TABLES.includes(name))
        contents[name] = inOneForm((await client.query(`SELECT * FROM ${name}`)).rows)
    return contents
  } finally {
    await client.end()
  }
}

const inOneForm = (rows: readonly object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .map(([name, value]) => [
            name,
            value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
          ])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      ),
    )
    .sort()
