import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/test-database.ts'
import type { Query } from '../query.ts'
import { CommitAborted } from './errors.ts'
import { settleCommit } from './settle.ts'

async function xactId(query: Query): Promise<string> {
  const { rows } = await sql<{ id: string }>`SELECT pg_current_xact_id()::text AS id`.execute(query)
  return rows[0]?.id ?? ''
}

it('a transaction that was committed is known as such, and one that was rolled back is run again', async () => {
  const { engine } = await openTestDatabase('postgres')
  const { reader } = engine
  const forgotten: string[] = []
  const settle = (id: string): Promise<void> =>
    settleCommit(reader, id, new Error('cut'), (gone) => void forgotten.push(gone))
  let committed = ''
  let rolledBack = ''
  await engine.transaction(async (tx) => void (committed = await xactId(tx.query)))
  await engine
    .transaction(async (tx) => {
      rolledBack = await xactId(tx.query)
      throw new Error('no')
    })
    .catch(() => undefined)
  await settle(committed)
  const aborted: unknown = await settle(rolledBack).catch((error: unknown) => error)
  expect([aborted instanceof CommitAborted, engine.retryable(aborted)]).toEqual([true, true])
  expect(forgotten).toEqual([])
})

it('a transaction that the server never knew counts as rolled back, and is named', async () => {
  const { engine } = await openTestDatabase('postgres')
  const forgotten: string[] = []
  const never = String(2 ** 40)
  const settled = settleCommit(engine.reader, never, new Error('cut'), (gone) => void forgotten.push(gone))
  await expect(settled).rejects.toThrow(CommitAborted)
  expect(forgotten).toEqual([never])
})

it('a transaction that still runs is asked about until it has ended', async () => {
  const { engine } = await openTestDatabase('postgres')
  const begun = Promise.withResolvers<string>()
  const end = Promise.withResolvers<void>()
  const running = engine.transaction(async (tx) => {
    begun.resolve(await xactId(tx.query))
    await end.promise
  })
  let isSettled = false
  const settled = settleCommit(engine.reader, await begun.promise, new Error('cut'), () => undefined).then(
    () => void (isSettled = true),
  )
  await engine.commitSequence()
  expect(isSettled).toBe(false)
  end.resolve()
  await Promise.all([running, settled])
})
