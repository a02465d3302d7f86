// PostgreSQL: the same console on a server, shared by several. Statements stay unnamed: named ones break behind poolers.
import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Value } from '../query.ts'
import type { Schema } from '../schema.gen.ts'
import { tookTooLong } from '../time-limit.ts'
import { storable } from '../values.ts'
import { coalesce } from '../coalesce.ts'
import { storableText } from './storable-text.ts'
import { openPool, type QueryOptions } from './pool.ts'
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
  // Shut down, crashed, starting; too many connections; a standby that takes no writes.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
])
const LOST = /Connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout/

/** How long connecting and an answer may take, before the server counts as away. */
const CONNECT_MS = 5_000
const ANSWER_MS = 30_000
const LONG_ANSWER_MS = 60_000
const READERS = 8
/** Searches have their own pool: the short reads, which the writer needs, do not wait for them. */
const LONG_READERS = 3

const bindable = (value: unknown, place: number): Value => {
  const checked = storable(value, place)
  return typeof checked === 'string' ? storableText(checked) : checked
}

const ROLLED_BACK = { command: 'ROLLBACK', rowCount: 0, rows: [] }

/** Refuses values that cannot be stored; a lost transaction fails with what broke it. */
const queryOptions = (answerMs: number): QueryOptions => ({
  answerMs,
  bind: bindable,
  onFailure(error, text, lose) {
    if (error instanceof Error && LOST.test(error.message)) lose(error)
    // The server rolls back with the connection: report what broke it, not the ROLLBACK.
    if (text.toLowerCase() !== 'rollback') throw error
    lose(error as Error)
    return ROLLED_BACK
  },
})

export function openPostgres(url: string, answerMs = ANSWER_MS): Engine {
  const connectionTimeoutMillis = Math.min(CONNECT_MS, answerMs)
  const kysely = (max: number, maxAnswerMs = answerMs): Kysely<Schema> => {
    const pool = openPool(
      { connectionString: url, max, keepAlive: true, connectionTimeoutMillis },
      queryOptions(maxAnswerMs),
    )
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  }
  const writer = kysely(1)
  const reader = kysely(READERS)
  const longReader = kysely(LONG_READERS, LONG_ANSWER_MS)
  // Altering a large table has no time limit.
  const altering = kysely(1, 0)
  const readSequence = reader
    .selectFrom('commit_sequence')
    .select(['updated_id', 'config_version'])
    .where('id', '=', 1)
    .compile()
  const { host, pathname } = new URL(url)

  return {
    name: 'postgres',
    place: `postgres://${host}${pathname}`,
    reader,
    commitSequence: coalesce(
      async () => (await reader.executeQuery(readSequence)).rows[0] as CommitSequenceRow,
    ),
    longRead: (query, limitMs) => longRead(longReader, query, limitMs),
    transaction: (run) =>
      writer.transaction().execute(async (trx) => {
        // The row lock serializes the commits of all consoles (decision 0003).
        const locked = sql<CommitSequenceRow>`SELECT updated_id, config_version FROM commit_sequence WHERE id = 1 FOR UPDATE`
        const sequence = openCommitSequence((await locked.execute(trx)).rows[0] as CommitSequenceRow)
        await run(postgresTx(trx, sequence))
        const changed = sequence.changed()
        if (changed) await trx.updateTable('commit_sequence').set(changed).where('id', '=', 1).execute()
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
