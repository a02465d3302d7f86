// Creates tokens. Requests that arrive while one transaction is being written share the next one.
import { batcher } from '@rookery/kernel/batcher.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import { isDomainName } from '@rookery/tokens/domain-name.ts'
import { readSettings } from '@rookery/tokens/settings.ts'
import type { AppContext } from '../../app-context.ts'
import { lateTransaction, type LateTransaction } from '../../db/late-transaction.ts'
import type { Tx } from '../../db/query.ts'
import { newTokenId } from '../../secrets/token-id.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import { flockNamesOf, noFlock } from '../../stores/flocks/store.ts'
import { attachFiles } from '../../stores/tokens/files.store.ts'
import { addTokens, type TokenRow } from '../../stores/tokens/store.ts'
import { newAddress, originFor, withDomain, type TokenOrigin } from './address.ts'
import { kindNamed } from './kinds.ts'
import { seedOf } from './seed.ts'
import { rendersColumn, sealSettings } from './settings-at-rest.ts'
import { takeUploads, type UploadDeps } from './take-uploads.ts'
import { fileIdsOf } from './uploads.ts'

export interface TokenRequest {
  readonly kind: string
  readonly memo: string
  readonly flockId: string
  /** Instead of the console's own domain. */
  readonly customDomain?: string | undefined
  /** Everything else that the caller gave; the kind takes what it knows. */
  readonly given: Readonly<Record<string, unknown>>
  /** Key id of the caller. */
  readonly createdBy: string
  /** Key id of the factory; empty when an API key creates it. */
  readonly factoryKeyId: string
  /** Makes the row of the audit trail, which is written with the token. */
  readonly trail: (
    flock: { readonly flockId: string; readonly flockName: string },
    facts: { readonly decoytoken: string },
  ) => AuditEntry
}

/** Creates a token; resolves after the commit. */
export type CreateToken = (request: TokenRequest) => Promise<TokenRow>

const TOKENS_PER_BATCH = 512
/** In a host name, which has at most 253 characters, an id of 25 and a dot stand before it. */
const MAX_DOMAIN_CHARACTERS = 200

interface NewToken {
  readonly row: TokenRow
  /** Uploaded files that become the token's. */
  readonly fileIds: readonly string[]
  readonly trail: TokenRequest['trail']
}

interface Stored {
  /** In the order of the batch; undefined where there is no such Flock. */
  readonly rows: readonly (TokenRow | undefined)[]
  readonly trail: readonly AuditEntry[]
}

export type TokenCreatorDeps = Pick<AppContext, 'writer' | 'vault' | 'world'> & UploadDeps

export function tokenCreator(deps: TokenCreatorDeps, origin: TokenOrigin): CreateToken {
  let transaction: LateTransaction<NewToken, Stored>
  const { add } = batcher({
    max: TOKENS_PER_BATCH,
    gather() {
      transaction = lateTransaction(deps.writer, 'care', store, ({ trail }) => trail)
      return transaction.begun
    },
    flush: async (batch: readonly NewToken[]) => (await transaction.commit(batch)).rows,
  })
  return async (request) => {
    const row = await add(await prepare(request, deps, origin))
    if (!row) throw noFlock()
    return row
  }
}

/** Stores what was uploaded, once the kind can use it. The row is without its numbers, which the transaction gives it. */
async function prepare(
  request: TokenRequest,
  deps: TokenCreatorDeps,
  origin: TokenOrigin,
): Promise<NewToken> {
  const { vault, world } = deps
  const kind = kindNamed(request.kind)
  const ownOrigin = originOf(request, originFor(origin, kind.descriptor))
  const given = readSettings(kind.descriptor, request.given)
  const address = newAddress(newTokenId(world.random, vault), ownOrigin, world.random)
  const settings = await takeUploads(deps, kind.descriptor, { kind: request.kind, address, settings: given })
  const row = {
    token_id: address.tokenId,
    number: 0,
    kind: request.kind,
    memo: request.memo,
    flock_id: request.flockId,
    settings: sealSettings(vault, address.tokenId, settings, kind.descriptor.settings),
    renders: rendersColumn(kind.renders(address, settings), kind.descriptor.settings),
    url: address.url,
    hostname: address.hostname,
    peer_key: kind.peerKey?.(deriver(request.kind, seedOf(vault, address.tokenId))) ?? '',
    mysql: ownOrigin.mysql,
    postgres: ownOrigin.postgres,
    enabled: 1,
    created_at: world.clock.now(),
    created_by: request.createdBy,
    factory_key_id: request.factoryKeyId,
    triggered_count: 0,
    updated_id: 0,
  }
  return { row, fileIds: fileIdsOf(settings), trail: request.trail }
}

function originOf({ customDomain }: TokenRequest, origin: TokenOrigin): TokenOrigin {
  if (customDomain === undefined) return origin
  if (isDomainName(customDomain, MAX_DOMAIN_CHARACTERS)) return withDomain(origin, customDomain)
  throw new Fault('bad-input', 'Parameter custom_domain was invalid.', {
    details: {
      custom_domain: `must be a domain name of at most ${MAX_DOMAIN_CHARACTERS} characters, such as files.example.com`,
    },
  })
}

async function store(tx: Tx, batch: readonly NewToken[]): Promise<Stored> {
  const flocks = await flockNamesOf(tx, [...new Set(batch.map(({ row }) => row.flock_id))])
  const accepted = batch.filter(({ row }) => flocks.has(row.flock_id))
  let number = accepted.length > 0 ? await tx.updatedIds(accepted.length) : 0
  const rows = batch.map(({ row }) =>
    flocks.has(row.flock_id) ? { ...row, number, updated_id: number++ } : undefined,
  )
  await addTokens(
    tx,
    rows.filter((row) => row !== undefined),
  )
  await attachFiles(
    tx,
    accepted.flatMap(({ row, fileIds }) => fileIds.map((file_id) => ({ file_id, token_id: row.token_id }))),
  )
  return {
    rows,
    trail: accepted.map(({ row, trail }) =>
      trail(
        { flockId: row.flock_id, flockName: flocks.get(row.flock_id) ?? '' },
        { decoytoken: row.token_id },
      ),
    ),
  }
}
