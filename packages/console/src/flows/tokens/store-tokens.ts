// Stores tokens that are made: all that came together in one transaction.
import { Fault } from '@rookery/kernel/fault.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import type { Tx } from '../../db/query.ts'
import { flockNamesOf, noFlock } from '../../stores/flocks/store.ts'
import { activateResources } from '../../stores/providers/resources.store.ts'
import { openBatchRows, type BatchRow } from '../../stores/tokens/batches.store.ts'
import { attachFiles } from '../../stores/tokens/files.store.ts'
import { addTokens, type TokenRow } from '../../stores/tokens/store.ts'
import type { Provisioned } from '../providers/provision.ts'
import type { TokenRequest } from './draft.ts'

export interface PreparedToken {
  /** Without its numbers, which the transaction gives it. */
  readonly row: TokenRow
  /** Uploaded files that become the token's. */
  readonly fileIds: readonly string[]
  /** What its provider made; undefined for a token that needs none. */
  readonly provisioned: Provisioned | undefined
  readonly trail: TokenRequest['trail']
  /** Its row of a batch. */
  readonly batchRow?: BatchRow
}

export interface Stored {
  /** In the order of the tokens; a `Fault` for each that was not stored. */
  readonly results: readonly (TokenRow | Fault)[]
  readonly trail: readonly AuditEntry[]
}

export async function storeTokens(tx: Tx, tokens: readonly PreparedToken[]): Promise<Stored> {
  const flocks = await flockNamesOf(tx, [...new Set(tokens.map(({ row }) => row.flock_id))])
  const activated = await activateResources(
    tx,
    tokens.flatMap(({ row, provisioned }) =>
      provisioned && flocks.has(row.flock_id) ? [provisioned.activation] : [],
    ),
  )
  const batches = await openBatchRows(
    tx,
    tokens.flatMap(({ batchRow }) => batchRow ?? []),
  )
  const isIssued = ({ row, provisioned }: PreparedToken): boolean =>
    !provisioned || activated.has(row.token_id)
  const fresh = tokens.filter(
    (token) => flocks.has(token.row.flock_id) && isIssued(token) && !batches.has(token.batchRow),
  )
  let number = fresh.length > 0 ? await tx.updatedIds(fresh.length) : 0
  const added = new Map(fresh.map(({ row }) => [row.token_id, { ...row, number, updated_id: number++ }]))
  await addTokens(tx, [...added.values()])
  await batches.add(fresh)
  await attachFiles(
    tx,
    fresh.flatMap(({ row, fileIds }) => fileIds.map((file_id) => ({ file_id, token_id: row.token_id }))),
  )
  return {
    results: tokens.map(
      ({ row, batchRow }) =>
        added.get(row.token_id) ??
        batches.tokenOf(batchRow) ??
        (flocks.has(row.flock_id) ? takenBack() : noFlock()),
    ),
    trail: fresh.map(({ row, trail }) =>
      trail(
        { flockId: row.flock_id, flockName: flocks.get(row.flock_id) ?? '' },
        { decoytoken: row.token_id },
      ),
    ),
  }
}

const takenBack = (): Fault =>
  new Fault('unavailable', 'What the provider issued belongs to another token, or was taken back. Try again.')
