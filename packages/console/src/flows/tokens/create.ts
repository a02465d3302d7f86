// Creates tokens. Requests that arrive while one transaction is being written share the next one.
import { batcher } from '@rookery/kernel/batcher.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { isDomainName } from '@rookery/tokens/domain-name.ts'
import { readSettings } from '@rookery/tokens/settings.ts'
import type { AppContext } from '../../app-context.ts'
import { lateTransaction, type LateTransaction } from '../../db/late-transaction.ts'
import type { Tx } from '../../db/query.ts'
import { newTokenId } from '../../secrets/token-id.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import { flockNamesOf, noFlock } from '../../stores/flocks/store.ts'
import { addTokens, type TokenRow } from '../../stores/tokens/store.ts'
import { newAddress, withDomain, type TokenOrigin } from './address.ts'
import { kindNamed } from './kinds.ts'

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
  readonly trail: TokenRequest['trail']
}

interface Stored {
  /** In the order of the batch; undefined where there is no such Flock. */
  readonly rows: readonly (TokenRow | undefined)[]
  readonly trail: readonly AuditEntry[]
}

export function tokenCreator(
  base: Pick<AppContext, 'writer' | 'vault' | 'world'>,
  origin: TokenOrigin,
): CreateToken {
  let transaction: LateTransaction<NewToken, Stored>
  const { add } = batcher({
    max: TOKENS_PER_BATCH,
    gather() {
      transaction = lateTransaction(base.writer, 'care', store, ({ trail }) => trail)
      return transaction.begun
    },
    flush: async (batch: readonly NewToken[]) => (await transaction.commit(batch)).rows,
  })
  return async (request) => {
    const row = await add({ row: buildRow(request, base, origin), trail: request.trail })
    if (!row) throw noFlock()
    return row
  }
}

/** The row without its numbers, which the transaction gives it. */
function buildRow(
  request: TokenRequest,
  { vault, world }: Pick<AppContext, 'vault' | 'world'>,
  origin: TokenOrigin,
): TokenRow {
  const kind = kindNamed(request.kind)
  const ownOrigin = originOf(request, origin)
  const settings = readSettings(kind.descriptor, request.given)
  const address = newAddress(newTokenId(world.random, vault), ownOrigin, world.random)
  return {
    token_id: address.tokenId,
    number: 0,
    kind: request.kind,
    memo: request.memo,
    flock_id: request.flockId,
    settings: JSON.stringify(settings),
    renders: JSON.stringify(kind.forge(address, settings).renders),
    url: address.url,
    hostname: address.hostname,
    enabled: 1,
    created_at: world.clock.now(),
    created_by: request.createdBy,
    factory_key_id: request.factoryKeyId,
    triggered_count: 0,
    updated_id: 0,
  }
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
