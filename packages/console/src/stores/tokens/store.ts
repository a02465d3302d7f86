// Tokens: every query on their table.
import { Fault } from '@rookery/kernel/fault.ts'
import { sql } from 'kysely'
import { inList, inTexts } from '../../db/in-list.ts'
import type { Query, Scope, Tx } from '../../db/query.ts'
import { revokeResourcesOf } from '../providers/resources.store.ts'
import { releaseFilesOf } from './files.store.ts'
import { findTests, removeTestsOf, type SelfTest } from './tests.store.ts'
import type { TokenTables } from './tables.ts'

type StoredToken = TokenTables['token']

/** A token with its count; `updated_id` is the larger one of its last change and its last touch. */
export type TokenRow = StoredToken & { triggered_count: number; touched_at: number }

const SUBJECT = [
  ...(['token_id', 'number', 'kind', 'memo', 'flock_id', 'settings'] as const),
  ...(['enabled', 'quiet_sources', 'first_only', 'created_at'] as const),
] as const

/** The columns that ingest needs of a touched token. */
export type TokenSubject = Pick<TokenRow, (typeof SUBJECT)[number]> & {
  /** The touch is a test of it. */
  readonly test?: SelfTest
}

/**
 * By id. A token that was deleted on purpose has no kind and is disabled; the id of a self-test stands for its token; an id
 * without any row is left out.
 */
export async function loadTokenSubjects(
  tx: Tx,
  tokenIds: readonly string[],
): Promise<Map<string, TokenSubject>> {
  const found = await subjectsOf(tx, tokenIds)
  const missing = tokenIds.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  const deleted = inTexts(tx.engine, 'token_id', missing)
  for (const { token_id } of await tx.rows<{ token_id: string }>(
    `SELECT token_id FROM deleted_token WHERE ${deleted.sql}`,
    [deleted.value],
  ))
    found.set(token_id, { ...DELETED, token_id })
  const unknown = missing.filter((id) => !found.has(id))
  if (unknown.length > 0) await addTested(tx, unknown, found)
  return found
}

/** The same of tokens alone, through the reader. */
export async function readTokenSubjects(
  db: Query,
  tokenIds: readonly string[],
): Promise<Map<string, TokenSubject>> {
  const rows = await db.selectFrom('token').select(SUBJECT).where('token_id', 'in', tokenIds).execute()
  return new Map(rows.map((row) => [row.token_id, row]))
}

async function subjectsOf(tx: Tx, tokenIds: readonly string[]): Promise<Map<string, TokenSubject>> {
  const touched = inTexts(tx.engine, 'token_id', tokenIds)
  const rows = await tx.rows<TokenSubject>(`SELECT ${SUBJECT.join(', ')} FROM token WHERE ${touched.sql}`, [
    touched.value,
  ])
  return new Map(rows.map((row) => [row.token_id, row]))
}

/** Adds the tokens that these ids test. */
async function addTested(
  tx: Tx,
  testIds: readonly string[],
  found: Map<string, TokenSubject>,
): Promise<void> {
  const tests = await findTests(tx, testIds)
  if (tests.length === 0) return
  const tested = await subjectsOf(
    tx,
    tests.map(({ token_id }) => token_id),
  )
  for (const { token_id, ...test } of tests) {
    const token = tested.get(token_id)
    if (token) found.set(test.test_id, { ...token, test })
  }
}

const DELETED: Omit<TokenSubject, 'token_id'> = {
  number: 0,
  kind: '',
  memo: '',
  flock_id: '',
  settings: '{}',
  enabled: 0,
  quiet_sources: '',
  first_only: 0,
  created_at: 0,
}

/** Adds to the counts of touched tokens. */
export const countTriggers = (tx: Tx, rows: readonly TokenTables['token_count'][]): Promise<void> =>
  tx.insertMany('token_count', rows, { key: ['number'], then: 'replace', adding: ['triggered_count'] })

export const addTokens = (tx: Tx, rows: readonly TokenRow[]): Promise<void> =>
  tx.insertMany(
    'token',
    rows.map(({ triggered_count: _count, touched_at: _at, ...row }) => row),
  )

/** Whether a Flock has any token. */
export async function hasTokens(db: Query, flockId: string): Promise<boolean> {
  const tokens = db.selectFrom('token').select('token_id').where('flock_id', '=', flockId)
  return (await tokens.limit(1).executeTakeFirst()) !== undefined
}

/** The token, if it is in the scope. */
export async function findToken(db: Query, scope: Scope, tokenId: string): Promise<TokenRow | undefined> {
  const row = await selectTokens(db).where('t.token_id', '=', tokenId).executeTakeFirst()
  return row && (scope === 'all' || scope.includes(row.flock_id)) ? row : undefined
}

/** The same; `not-found` if it does not exist, or the scope does not include it. */
export async function existingToken(db: Query, scope: Scope, tokenId: string): Promise<TokenRow> {
  const row = await findToken(db, scope, tokenId)
  if (!row) throw noToken()
  return row
}

export const noToken = (): Fault => new Fault('not-found', 'Could not find the decoytoken')

/** The id of the token whose WireGuard client has this public key, base64. */
export async function findTokenOfPeer(db: Query, publicKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('token')
    .select('token_id')
    .where('peer_key', '=', publicKey)
    // `token_peer` is partial: it is used only if the query repeats its predicate, without a parameter.
    .where(sql<boolean>`peer_key != ''`)
    .executeTakeFirst()
  return row?.token_id
}

/** Selects tokens with their counts. */
export const selectTokens = (db: Query) =>
  db
    .selectFrom('token as t')
    .leftJoin('token_count as c', 'c.number', 't.number')
    .selectAll('t')
    .select((e) => [
      e.fn.coalesce('c.triggered_count', e.lit(0)).as('triggered_count'),
      e.fn.coalesce('c.touched_at', e.lit(0)).as('touched_at'),
      e
        .case()
        .when('c.updated_id', '>', e.ref('t.updated_id'))
        .then(e.ref('c.updated_id').$notNull())
        .else(e.ref('t.updated_id'))
        .end()
        .as('updated_id'),
    ])

/** Those of the tokens that are in the scope. */
export async function findTokens(
  { query, engine }: Pick<Tx, 'query' | 'engine'>,
  scope: Scope,
  tokenIds: readonly string[],
): Promise<TokenRow[]> {
  const rows = await selectTokens(query)
    .where(inList(engine, 't.token_id', tokenIds))
    .execute()
  return rows.filter((row) => scope === 'all' || scope.includes(row.flock_id))
}

/** Every token of a kind, with what its settings are sealed for. */
export const tokensOfKind = (
  db: Query,
  kind: string,
): Promise<Pick<StoredToken, 'token_id' | 'kind' | 'settings' | 'issued'>[]> =>
  db.selectFrom('token').select(['token_id', 'kind', 'settings', 'issued']).where('kind', '=', kind).execute()

type ChangeableColumn =
  | 'memo'
  | 'settings'
  | 'renders'
  | 'issued'
  | 'enabled'
  | 'updated_id'
  | 'quiet_sources'
  | 'first_only'
  | 'placement'
  | 'placement_by'
  | 'placement_at'

/** Changes the given columns of a token. */
export async function changeToken(
  db: Query,
  tokenId: string,
  change: Partial<Pick<TokenRow, ChangeableColumn>>,
): Promise<void> {
  await db.updateTable('token').set(change).where('token_id', '=', tokenId).execute()
}

/** Disables tokens. */
export async function disableTokens(tx: Tx, tokenIds: readonly string[]): Promise<void> {
  const updated_id = await tx.updatedIds(1)
  await tx.query
    .updateTable('token')
    .set({ enabled: 0, updated_id })
    .where(inList(tx.engine, 'token_id', tokenIds))
    .execute()
}

/** Deletes tokens, and records their ids as deleted on purpose. What providers issued for them is revoked. */
export async function removeTokens(tx: Tx, tokenIds: readonly string[], at: number): Promise<void> {
  const numbers = tx.query
    .selectFrom('token')
    .select('number')
    .where(inList(tx.engine, 'token_id', tokenIds))
  for (const table of ['token_count', 'token_first_incident'] as const)
    await tx.query.deleteFrom(table).where('number', 'in', numbers).execute()
  await releaseFilesOf(tx, tokenIds)
  await revokeResourcesOf(tx, tokenIds, at)
  for (const table of ['quiet_touch', 'token_invocation'] as const)
    await tx.query.deleteFrom(table).where('token_number', 'in', numbers).execute()
  await removeTestsOf(tx, tokenIds, at)
  for (const table of ['token_batch_row', 'token'] as const) await tx.deleteMany(table, 'token_id', tokenIds)
  await tx.insertMany(
    'deleted_token',
    tokenIds.map((token_id) => ({ token_id, deleted_at: at })),
    { key: ['token_id'], then: 'replace' },
  )
}
