import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/test-database.ts'
import type { Engine } from '../engine.ts'
import type { Query } from '../query.ts'
import { CommitAborted } from './errors.ts'
import { settleCommit } from './settle.ts'
import type { NumberedCommit } from './transaction.ts'

async function xactIdOf(query: Query): Promise<string> {
  const { rows } = await sql<{ id: string }>`SELECT pg_current_xact_id()::text AS id`.execute(query)
  return rows[0]?.id ?? ''
}

/** Commits, and answers the transaction's numbers. */
async function commit({ transaction, reader }: Engine): Promise<NumberedCommit> {
  let xactId = ''
  await transaction(async (tx) => void (xactId = await xactIdOf(tx.query)))
  const row = await reader.selectFrom('last_commit').selectAll().executeTakeFirstOrThrow()
  return { writerId: row.writer_id, number: row.number, xactId }
}

const settle = ({ reader }: Engine, unanswered: NumberedCommit): Promise<void> =>
  settleCommit(reader, unanswered, new Error('cut'), () => false)

it('a transaction that was committed is known as such, and one that was rolled back is run again', async () => {
  const { engine } = await openTestDatabase('postgres')
  const committed = await commit(engine)
  let xactId = ''
  await engine
    .transaction(async (tx) => {
      xactId = await xactIdOf(tx.query)
      throw new Error('no')
    })
    .catch(() => undefined)
  await settle(engine, committed)
  const rolledBack = { ...committed, number: committed.number + 1, xactId }
  const aborted: unknown = await settle(engine, rolledBack).catch((error: unknown) => error)
  expect([aborted instanceof CommitAborted, engine.retryable(aborted)]).toEqual([true, true])
})

it('a transaction that the server never knew counts as rolled back', async () => {
  const { engine } = await openTestDatabase('postgres')
  const never = { ...(await commit(engine)), number: 99, xactId: String(2 ** 40) }
  await expect(settle(engine, never)).rejects.toThrow(CommitAborted)
})

it('a transaction that a promoted standby never got is not taken for the one that has its id now', async () => {
  const { engine } = await openTestDatabase('postgres')
  const { xactId } = await commit(engine)
  const lost = { writerId: 'another console', number: 7, xactId }
  await expect(settle(engine, lost)).rejects.toThrow(CommitAborted)
})

it('a transaction that still runs is asked about until it has ended', async () => {
  const { engine } = await openTestDatabase('postgres')
  const { writerId, number } = await commit(engine)
  const begun = Promise.withResolvers<string>()
  const end = Promise.withResolvers<void>()
  const running = engine.transaction(async (tx) => {
    begun.resolve(await xactIdOf(tx.query))
    await end.promise
  })
  let isSettled = false
  const next = { writerId, number: number + 1, xactId: await begun.promise }
  const settled = settle(engine, next).then(() => void (isSettled = true))
  await engine.commitSequence()
  expect(isSettled).toBe(false)
  end.resolve()
  await Promise.all([running, settled])
})
