// A database with very many tokens, made by copying a real one: rows get ids, memos, times and Flocks of their own.
// Straight into the tables of a stopped console.
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { OnEngine } from './engines.ts'
import { makeFlocks } from './flocks.ts'

const FLOCKS = 10
const AT_ONCE = 5_000

type Row = Record<string, SQLInputValue>

/** Ids are scattered over the key as real ones are; no touch finds them, for they lack the console's MAC. */
const scattered = (at: number): string =>
  (BigInt(at) * 0x9e3779b97f4a7c15n).toString(36).slice(-12).padStart(25, 'q')

/** Fills the tables of a console that it starts, for its schema, and stops; `idOf` is asked once for each token. */
export async function seedTokens(
  on: OnEngine,
  tokens: number,
  idOf: (at: number) => string = scattered,
): Promise<void> {
  const console = await on.start()
  const flockIds = await makeFlocks(console, FLOCKS)
  const { json } = await console.post('/decoytoken/create', { kind: 'http', memo: 'the model' })
  const { decoytoken: modelId } = json['decoytoken'] as { decoytoken: string }
  const model = await on.row<Row>('SELECT * FROM token')
  await console.stop()

  const firstAt = Date.now() - tokens
  const copy = (at: number): Row => {
    const id = idOf(at)
    const named = (text: unknown): string => String(text).replaceAll(modelId, id)
    return {
      ...model,
      token_id: id,
      number: at,
      memo: `Backup script of host ${at}`,
      flock_id: flockIds[at % FLOCKS] ?? '',
      renders: named(model['renders']),
      url: named(model['url']),
      hostname: named(model['hostname']),
      created_at: firstAt + at,
      updated_id: at,
    }
  }
  const write = on.engine === 'sqlite' ? intoSqlite(on.folder) : intoPostgres(on)
  for (let at = 1; at <= tokens; at += AT_ONCE) {
    const size = Math.min(AT_ONCE, tokens - at + 1)
    await write(Array.from({ length: size }, (_, more) => copy(at + more)))
  }
}

function intoSqlite(folder: string): (rows: readonly Row[]) => Promise<void> {
  return (rows) => {
    const db = new DatabaseSync(join(folder, 'rookery.db'))
    const columns = Object.keys(rows[0] ?? {})
    const insert = db.prepare(
      `INSERT INTO token (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    // Nothing here must survive a power cut.
    db.exec('PRAGMA synchronous=OFF; BEGIN')
    for (const row of rows) insert.run(...columns.map((name) => row[name] ?? null))
    db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    return Promise.resolve()
  }
}

const intoPostgres =
  ({ rows: ask }: OnEngine) =>
  async (rows: readonly Row[]): Promise<void> => {
    await ask('INSERT INTO token SELECT * FROM json_populate_recordset(null::token, $1::json)', [
      JSON.stringify(rows),
    ])
  }
