// PostgreSQL: the same console on a server, shared by several. Statements stay unnamed: named ones break behind poolers.
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { coalesce } from '../coalesce.ts'
import { rememberDamage } from '../damage.ts'
import type { CommitSequenceRow } from '../commit-sequence.ts'
import type { Engine } from '../engine.ts'
import type { Value } from '../query.ts'
import type { Schema } from '../schema.gen.ts'
import { tookTooLong } from '../time-limit.ts'
import { storable } from '../values.ts'
import { diagnose, isCanceled, isRetryable } from './errors.ts'
import { openPool } from './pool.ts'
import { settleCommit } from './settle.ts'
import { openSockets } from './sockets.ts'
import { storableText } from './storable-text.ts'
import {
  NOW_MS,
  openTransactions,
  TRANSACTION_LIMITS,
  type OnTime,
  type TransactionLimits,
} from './transaction.ts'

export interface PostgresOptions {
  /** How long an answer may take, before the server counts as away. */
  readonly answerMs?: number
  readonly limits?: TransactionLimits
  /** Called with each answer that brings the database's time. */
  readonly onTime?: OnTime
}

const DEFAULT_PORT = 5432
const CONNECT_MS = 5_000
const ANSWER_MS = 30_000
const LONG_ANSWER_MS = 60_000
/** A connection without traffic is tested after this time; the system then gives it up within ten seconds. */
const KEEP_ALIVE_MS = 10_000
const READERS = 8
/** Searches have their own pool: the short reads, which the writer needs, do not wait for them. */
const LONG_READERS = 3
const CONTROL = 2

const bindable = (value: unknown, place: number): Value => {
  const checked = storable(value, place)
  return typeof checked === 'string' ? storableText(checked) : checked
}

export function openPostgres(
  url: string,
  { answerMs = ANSWER_MS, limits = TRANSACTION_LIMITS, onTime = () => undefined }: PostgresOptions = {},
): Engine {
  const sockets = openSockets()
  const connecting = {
    connectionString: url,
    stream: sockets.make,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: Math.min(CONNECT_MS, answerMs),
  }
  const kysely = (max: number, maxAnswerMs: number, onUnanswered: (pid: number) => void): Kysely<Schema> => {
    const pool = openPool({ ...connecting, max }, { answerMs: maxAnswerMs, bind: bindable, onUnanswered })
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  }
  // Cancels, and questions about a commit, come while the other connections wait or are lost.
  const control = kysely(CONTROL, connecting.connectionTimeoutMillis, () => undefined)
  const cancel = (pid: number): void => void cancelStatement(control, pid)
  const writer = kysely(1, answerMs, cancel)
  const reader = kysely(READERS, answerMs, cancel)
  const inTransaction = openTransactions(writer, { limits, onTime })
  const longReader = kysely(LONG_READERS, LONG_ANSWER_MS, cancel)
  // Altering a large table has no time limit.
  const altering = kysely(1, 0, cancel)
  const readSequence = CompiledQuery.raw(
    `SELECT updated_id, config_version, ${NOW_MS} FROM commit_sequence WHERE id = 1`,
  )
  const { hostname, port, pathname } = new URL(url)

  return {
    name: 'postgres',
    place: `postgres://${hostname}:${port || DEFAULT_PORT}${pathname}`,
    reader,
    commitSequence: coalesce(async () => {
      const askedAtMs = performance.now()
      const { rows } = await reader.executeQuery<CommitSequenceRow & { now_ms: number }>(readSequence)
      const [row] = rows
      if (!row) throw new Error('commit_sequence has no row.')
      onTime(row.now_ms, performance.now() - askedAtMs)
      return row
    }),
    longRead: (query, limitMs) => longRead(longReader, query, limitMs),
    async transaction(run) {
      const unanswered = await inTransaction(run)
      if (unanswered) await settleCommit(control, unanswered.commit, unanswered.error, sockets.isAbandoned)
    },
    alter: (run) => altering.transaction().execute(run),
    ready: () => Promise.resolve(),
    checkpointed: () => Promise.resolve(),
    ...rememberDamage(diagnose),
    retryable: isRetryable,
    abandon: sockets.abandon,
    async close() {
      for (const each of [reader, longReader, altering, writer, control]) await each.destroy()
    },
  }
}

/** Ends the statement of a server process whose answer nobody awaits any longer. Behind a pooler the id is of no process. */
async function cancelStatement(control: Kysely<Schema>, pid: number): Promise<void> {
  try {
    await sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
              WHERE pid = ${pid} AND usename = current_user AND datname = current_database()`.execute(control)
  } catch {
    // The server is away: the statement ends with it, or at its own time limit.
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
    throw isCanceled(error) ? tookTooLong(limitMs) : error
  }
}
