// Self-tests of tokens, by the ids that stand for the token in them.
import { sql } from 'kysely'
import { inList } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { TokenTables } from './tables.ts'

export type TestRow = TokenTables['token_test']

/** What a touch by such an id needs to know. */
export type SelfTest = Pick<TestRow, 'test_id' | 'alerts' | 'started_at' | 'started_by'>

export const addTest = (tx: Tx, row: TestRow): Promise<void> => tx.insertMany('token_test', [row])

export const findTests = (tx: Tx, testIds: readonly string[]): Promise<TestRow[]> =>
  tx.query
    .selectFrom('token_test')
    .selectAll()
    .where(inList(tx.engine, 'test_id', testIds))
    .execute()

/** The id of the test whose WireGuard client has this public key, base64. */
export async function findTestOfPeer(db: Query, publicKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('token_test')
    .select('test_id')
    .where('peer_key', '=', publicKey)
    .where(sql<boolean>`peer_key != ''`)
    .executeTakeFirst()
  return row?.test_id
}

/** Removes the tests of tokens that are deleted: their ids are noise from then on. */
export async function removeTestsOf(tx: Tx, tokenIds: readonly string[], at: number): Promise<void> {
  const tests = await tx.query
    .selectFrom('token_test')
    .select('test_id')
    .where(inList(tx.engine, 'token_id', tokenIds))
    .execute()
  await tx.deleteMany('token_test', 'token_id', tokenIds)
  await tx.insertMany(
    'deleted_token',
    tests.map(({ test_id }) => ({ token_id: test_id, deleted_at: at })),
    { key: ['token_id'], then: 'replace' },
  )
}
