// PostgreSQL: the same console on a server, shared by several. Statements stay unnamed: named ones break behind poolers.
import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely'
import type { Engine } from '../engine.ts'
import { gathered } from '../gathered.ts'
import type { Value } from '../query.ts'
import type { Schema } from '../schema.gen.ts'
import { tookTooLong } from '../time-limit.ts'
import { storable } from '../values.ts'
import { coalesce } from '../coalesce.ts'
import { plain } from './plain.ts'
import { openPool, type Asking } from './pool.ts'
import { openCommitSequence, type CommitSequenceRow } from '../commit-sequence.ts'
import { postgresTx } from './tx.ts'

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const DISK_FULL = '53100'
const QUERY_CANCELED = '57014'
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // Shut down, crashed, starting; too many connections; a stand-by that takes no writes.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
])
const LOST = /Connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout/

/** How long a connection may take to stand, and the server to answer, before it counts as away. */
const CONNECT_MS = 5_000
const ANSWER_MS = 30_000
const LONG_ANSWER_MS = 60_000
const READERS = 8
/** Searches may take all of these and still leave the short reads, which the writer needs, alone. */
const LONG_READERS = 3

const bindable = (value: unknown, place: number): Value => {
  const checked = storable(value, place)
  return typeof checked === 'string' ? plain(checked) : checked
}

const NOTHING = { command: 'ROLLBACK', rowCount: 0, rows: [] }

/** Values that cannot be stored are refused, and a transaction that is lost is told by what broke it. */
const asking = (answerMs: number): Asking => ({
  answerMs,
  bound: bindable,
  failed(error, text, lose) {
    if (error instanceof Error && LOST.test(error.message)) lose(error)
    // The server forgets the transaction with its connection; what broke it is what to tell.
    if (text.toLowerCase() !== 'rollback') throw error
    lose(error as Error)
    return NOTHING
  },
})

export function openPostgres(url: string, answerMs = ANSWER_MS): Engine {
  const connectionTimeoutMillis = Math.min(CONNECT_MS, answerMs)
  const kysely = (max: number, patienceMs = answerMs, pipeline = false): Kysely<Schema> => {
    const pool = openPool(
      { connectionString: url, max, keepAlive: true, connectionTimeoutMillis, pipeline },
      asking(patienceMs),
    )
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  }
  // Statements of a transaction that do not wait for each other's answers go out together.
  const writer = kysely(1, answerMs, true)
  const reader = kysely(READERS)
  const longReader = kysely(LONG_READERS, LONG_ANSWER_MS)
  // Changing a big table takes what it takes.
  const altering = kysely(1, 0)
  const readTurn = reader
    .selectFrom('commit_sequence')
    .select(['updated_id', 'config_version'])
    .where('id', '=', 1)
    .compile()
  const { host, pathname } = new URL(url)

  return {
    name: 'postgres',
    place: `postgres://${host}${pathname}`,
    reader,
    commitSequence: gathered(
      coalesce(async () => (await reader.executeQuery(readTurn)).rows[0] as CommitSequenceRow),
    ),
    longRead: (query, limitMs) => longRead(longReader, query, limitMs),
    transaction: (run) =>
      writer.transaction().execute(async (trx) => {
        // Whoever holds this row writes: commits of all consoles come one after the other (decision 0003).
        const held = sql<CommitSequenceRow>`SELECT updated_id, config_version FROM commit_sequence WHERE id = 1 FOR UPDATE`
        const turn = openCommitSequence((await held.execute(trx)).rows[0] as CommitSequenceRow)
        await run(postgresTx(trx, turn))
        const moved = turn.changed()
        if (moved) await trx.updateTable('commit_sequence').set(moved).where('id', '=', 1).execute()
      }),
    alter: (run) => altering.transaction().execute(run),
    ready: () => Promise.resolve(),
    checkpointed: () => Promise.resolve(),
    diagnose(error) {
      const { code, message } = error as { code?: string; message?: string }
      if (code === DISK_FULL) return 'full'
      const isAway = AWAY.has(code ?? '') || code?.startsWith('08') === true || LOST.test(message ?? '')
      return isAway ? 'away' : 'other'
    },
    retryable: (error) => [SERIALIZATION_FAILURE, DEADLOCK].includes((error as { code?: string }).code ?? ''),
    async close() {
      for (const each of [reader, longReader, altering, writer]) await each.destroy()
    },
  }
}

/** With a limit, the server itself ends the statement. */
async function longRead<T>(readers: Kysely<Schema>, query: CompiledQuery<T>, limitMs?: number): Promise<T[]> {
  if (limitMs === undefined) return (await readers.executeQuery(query)).rows
  const untilMs = performance.now() + limitMs
  try {
    return await readers
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        // Waiting for a connection counts; 0 would be no limit.
        const leftMs = Math.max(1, Math.ceil(untilMs - performance.now()))
        await sql`SET LOCAL statement_timeout = ${sql.lit(leftMs)}`.execute(trx)
        return (await trx.executeQuery(query)).rows
      })
  } catch (error) {
    throw (error as { code?: string }).code === QUERY_CANCELED ? tookTooLong(limitMs) : error
  }
}
