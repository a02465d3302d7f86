// What providers issued for tokens, from before it exists until it is revoked.
import { inList, inTexts } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { ProviderTables } from './tables.ts'

export type ResourceRow = ProviderTables['provider_resource']

/** Notes a resource before its provider is called. */
export const addResource = (
  tx: Tx,
  row: Pick<ResourceRow, 'token_id' | 'provider' | 'kind' | 'created_at' | 'due_at'>,
): Promise<void> =>
  tx.insertMany('provider_resource', [
    {
      ...row,
      state: 'provisioning',
      remote_id: '',
      sealed_handle: '',
      attempts: 0,
      last_error: '',
      expires_at: 0,
      is_expiry_raised: 0,
      used_at: 0,
    },
  ])

/** What became of it after the provider's answer. */
export type Activation = Pick<
  ResourceRow,
  'token_id' | 'provider' | 'remote_id' | 'sealed_handle' | 'due_at' | 'expires_at'
>

/** Activates those that are still being provisioned, and whose remote id no other token has; answers their tokens. */
export async function activateResources(
  tx: Tx,
  activations: readonly Activation[],
): Promise<ReadonlySet<string>> {
  const activated = new Set<string>()
  for (const { token_id, provider, ...known } of activations) {
    if (await hasRemoteId(tx.query, provider, known.remote_id)) continue
    const { numUpdatedRows } = await tx.query
      .updateTable('provider_resource')
      .set({ state: 'active', ...known })
      .where('token_id', '=', token_id)
      .where('state', '=', 'provisioning')
      .executeTakeFirst()
    if (numUpdatedRows > 0n) activated.add(token_id)
  }
  return activated
}

/** Whether a resource with this remote id is in the state. */
export async function hasRemoteId(
  db: Query,
  provider: string,
  remoteId: string,
  state: ResourceRow['state'] = 'active',
): Promise<boolean> {
  const row = await db
    .selectFrom('provider_resource')
    .select('token_id')
    .where('provider', '=', provider)
    .where('remote_id', '=', remoteId)
    .where('state', '=', state)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The resources of these tokens are revoked from now on. */
export async function revokeResourcesOf(tx: Tx, tokenIds: readonly string[], at: number): Promise<void> {
  await tx.query
    .updateTable('provider_resource')
    .set({ state: 'revoking', due_at: at })
    .where(inList(tx.engine, 'token_id', tokenIds))
    .execute()
}

/** What is known of a resource whose token was not created: it is revoked at `due_at`. One that is active stays. */
export async function abandonResource(
  tx: Tx,
  tokenId: string,
  known: Pick<ResourceRow, 'due_at'> & Partial<Pick<ResourceRow, 'remote_id' | 'sealed_handle'>>,
): Promise<void> {
  await tx.query
    .updateTable('provider_resource')
    .set({ ...known, state: 'revoking' })
    .where('token_id', '=', tokenId)
    .where('state', '=', 'provisioning')
    .execute()
}

/** Those that are to be revoked by now, whose creation is lost, or whose time is over; the longest due first. */
export const dueResources = (db: Query, now: number, most: number): Promise<ResourceRow[]> =>
  db
    .selectFrom('provider_resource')
    .selectAll()
    .where('due_at', '>', 0)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(most)
    .execute()

/** When the next one is due; undefined for none. */
export async function nextDueAt(db: Query): Promise<number | undefined> {
  const row = await db
    .selectFrom('provider_resource')
    .select('due_at')
    .where('due_at', '>', 0)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at
}

/** Takes back a lost creation, or one whose time is over; false where it has ended meanwhile. */
export async function takeBackResource(tx: Tx, tokenId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.query
    .updateTable('provider_resource')
    .set({ state: 'revoking' })
    .where('token_id', '=', tokenId)
    .where('state', '!=', 'revoking')
    .where('due_at', '>', 0)
    .where('due_at', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const removeResource = (tx: Tx, tokenId: string): Promise<void> =>
  tx.deleteMany('provider_resource', 'token_id', [tokenId])

/** Its end failed; it is tried again. */
export async function deferRevocation(
  tx: Tx,
  tokenId: string,
  change: Pick<ResourceRow, 'due_at' | 'attempts' | 'last_error'>,
): Promise<void> {
  await tx.query.updateTable('provider_resource').set(change).where('token_id', '=', tokenId).execute()
}

/** The active ones of a provider, the oldest first. */
export const activeResources = (db: Query, provider: string, most: number): Promise<ResourceRow[]> =>
  db
    .selectFrom('provider_resource')
    .selectAll()
    .where('provider', '=', provider)
    .where('state', '=', 'active')
    .orderBy('created_at')
    .limit(most)
    .execute()

/** Tokens of active resources, by remote id. */
export async function tokensOfResources(
  tx: Tx,
  provider: string,
  remoteIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = inTexts(tx.engine, 'remote_id', remoteIds)
  const rows = await tx.rows<Pick<ResourceRow, 'token_id' | 'remote_id'>>(
    `SELECT token_id, remote_id FROM provider_resource
      WHERE provider = ? AND state = 'active' AND ${named.sql}`,
    [provider, named.value],
  )
  return new Map(rows.map(({ token_id, remote_id }) => [remote_id, token_id]))
}

export type ExpiringResource = Pick<ResourceRow, 'token_id' | 'kind' | 'expires_at'> & {
  readonly memo: string
}

/** Active ones that expire before a time, and of which no incident says so; the first to expire first. */
export const expiringResources = (db: Query, before: number, most: number): Promise<ExpiringResource[]> =>
  db
    .selectFrom('provider_resource')
    .innerJoin('token', 'token.token_id', 'provider_resource.token_id')
    .select(['provider_resource.token_id', 'provider_resource.kind', 'expires_at', 'token.memo'])
    .where('expires_at', '>', 0)
    .where('expires_at', '<', before)
    .where('is_expiry_raised', '=', 0)
    .where('state', '=', 'active')
    .orderBy('expires_at')
    .limit(most)
    .execute()

/** The incident of their expiry is raised in this transaction. */
export async function noteExpiry(tx: Tx, tokenIds: readonly string[]): Promise<void> {
  await tx.query
    .updateTable('provider_resource')
    .set({ is_expiry_raised: 1 })
    .where(inList(tx.engine, 'token_id', tokenIds))
    .execute()
}

/** A use of a token's resource was reported, perhaps later than a use behind it. */
export async function noteUse(tx: Tx, tokenId: string, usedAt: number): Promise<void> {
  await tx.query
    .updateTable('provider_resource')
    .set({ used_at: usedAt })
    .where('token_id', '=', tokenId)
    .where('used_at', '<', usedAt)
    .execute()
}

export interface ResourceCounts {
  readonly provider: string
  readonly state: ResourceRow['state']
  readonly resources: number
  readonly oldest_at: number
}

/** How many there are, by provider and state, with the time of the oldest. */
export const countResources = (db: Query): Promise<ResourceCounts[]> =>
  db
    .selectFrom('provider_resource')
    .select(['provider', 'state'])
    .select((e) => [e.fn.countAll<number>().as('resources'), e.fn.min('created_at').as('oldest_at')])
    .groupBy(['provider', 'state'])
    .execute()

/** The sealed columns of all of them. */
export const sealedResources = (db: Query): Promise<Pick<ResourceRow, 'token_id' | 'sealed_handle'>[]> =>
  db
    .selectFrom('provider_resource')
    .select(['token_id', 'sealed_handle'])
    .where('sealed_handle', '!=', '')
    .execute()

export const storeHandles = (
  tx: Tx,
  rows: readonly Pick<ResourceRow, 'token_id' | 'sealed_handle'>[],
): Promise<void> => tx.updateMany('provider_resource', ['token_id'], rows)
