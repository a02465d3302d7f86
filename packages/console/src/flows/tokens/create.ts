// Creates tokens. Requests that arrive while one transaction is being written share the next one.
import { batcher } from '@rookery/kernel/batcher.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import { isDomainName } from '@rookery/tokens/domain-name.ts'
import { readSettings, type TokenSettings } from '@rookery/tokens/settings.ts'
import { providerNeeded, type TokenAddress, type TokenKind } from '@rookery/tokens/token.ts'
import type { AppContext } from '../../app-context.ts'
import { lateTransaction, type LateTransaction } from '../../db/late-transaction.ts'
import type { Tx } from '../../db/query.ts'
import { newTokenId } from '../../secrets/token-id.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import { existingFlock, flockNamesOf, noFlock } from '../../stores/flocks/store.ts'
import { activateResources } from '../../stores/providers/resources.store.ts'
import { openBatchRows, type BatchRow } from '../../stores/tokens/batches.store.ts'
import { attachFiles } from '../../stores/tokens/files.store.ts'
import { addTokens, type TokenRow } from '../../stores/tokens/store.ts'
import type { Provisioned, Provisioner } from '../providers/provision.ts'
import { newAddress, originFor, withDomain, type TokenOrigin } from './address.ts'
import { newCare, type TokenCare } from './care.ts'
import { checkTargets, type TargetDeps } from './check-targets.ts'
import { sealIssued } from './issued-at-rest.ts'
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
  readonly care: TokenCare
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

export interface NewToken {
  readonly row: TokenRow
  readonly settings: TokenSettings
  /** Texts for the answer of the creation alone: nothing stores them. */
  readonly shownOnce: Readonly<Record<string, string>>
}

/** Creates a token; resolves after the commit. A kind whose provider is not configured is a `conflict`. */
export type CreateToken = (request: TokenRequest) => Promise<NewToken>

export interface TokenCreator {
  readonly create: CreateToken
  /**
   * Makes the row, and stores what was uploaded. A request that the kind cannot take is a `bad-input`, and so is one of a kind that a
   * provider issues.
   */
  prepare(request: TokenRequest): Promise<PreparedToken>
  /** Stores it; resolves after the commit. A token that a batch has already is not stored again, but answered. */
  store(prepared: PreparedToken): Promise<TokenRow>
}

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

const TOKENS_PER_TRANSACTION = 512
/** In a host name, which has at most 253 characters, an id of 25 and a dot stand before it. */
const MAX_DOMAIN_CHARACTERS = 200

interface Stored {
  /** In the order of the tokens; a `Fault` for each that was not stored. */
  readonly results: readonly (TokenRow | Fault)[]
  readonly trail: readonly AuditEntry[]
}

export interface TokenCreatorDeps
  extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'>, UploadDeps, TargetDeps {
  readonly provisioner: Provisioner
  /** Makes ready for the download that follows a creation. */
  readonly warmForge: (kind: string) => void
  /** The provider that a token needs; undefined for none. */
  readonly providerOf?: typeof providerNeeded
}

export function tokenCreator(deps: TokenCreatorDeps, origin: TokenOrigin): TokenCreator {
  let transaction: LateTransaction<PreparedToken, Stored>
  const { add } = batcher({
    max: TOKENS_PER_TRANSACTION,
    gather() {
      transaction = lateTransaction(deps.writer, 'care', storeTokens, ({ trail }) => trail)
      return transaction.begun
    },
    flush: async (tokens: readonly PreparedToken[]) => (await transaction.commit(tokens)).results,
  })
  const store = async (prepared: PreparedToken): Promise<TokenRow> => {
    const stored = await add(prepared)
    if (stored instanceof Fault) throw stored
    return stored
  }
  return {
    store,
    async prepare(request) {
      refuseIssued(request, deps)
      return { ...rowOf(await draftOf(request, deps, origin), deps, undefined), provisioned: undefined }
    },
    async create(request) {
      const draft = await draftOf(request, deps, origin)
      const provisioned = await provisionFor(draft, deps)
      try {
        const row = await store({ ...rowOf(draft, deps, provisioned), provisioned })
        return { row, settings: draft.settings, shownOnce: provisioned?.shownOnce ?? {} }
      } catch (error) {
        if (provisioned) await deps.provisioner.abandon(provisioned)
        throw error
      }
    },
  }
}

/** What a provider issues is asked for while the caller waits, one by one. */
function refuseIssued(request: TokenRequest, { providerOf = providerNeeded }: TokenCreatorDeps): void {
  const kind = kindNamed(request.kind)
  const provider = providerOf(kind, readSettings(kind.descriptor, request.given))
  if (provider === undefined) return
  throw invalidParameter('kind', `is issued by the provider ${provider}: create such tokens one by one`)
}

const takenBack = (): Fault =>
  new Fault('unavailable', 'What the provider issued belongs to another token, or was taken back. Try again.')

interface Draft {
  readonly request: TokenRequest
  readonly kind: TokenKind
  readonly origin: TokenOrigin
  readonly address: TokenAddress
  readonly settings: TokenSettings
  /** Undefined for a token that needs none. */
  readonly provider: string | undefined
}

/** Stores what was uploaded, once the kind can use it. */
async function draftOf(
  request: TokenRequest,
  deps: TokenCreatorDeps,
  consoleOrigin: TokenOrigin,
): Promise<Draft> {
  const { reader, vault, world } = deps
  const kind = kindNamed(request.kind)
  const origin = originOf(request, originFor(consoleOrigin, kind.descriptor))
  const given = readSettings(kind.descriptor, request.given)
  const provider = (deps.providerOf ?? providerNeeded)(kind, given)
  if (provider !== undefined) {
    await deps.provisioner.check(provider)
    await existingFlock(reader, 'all', request.flockId)
  }
  const address = newAddress(newTokenId(world.random, vault), origin, world.random, kind.descriptor)
  checkTargets(deps, kind.descriptor, given, address)
  const subject = { kind: request.kind, address, settings: given, issued: {} }
  const caller = { keyId: request.createdBy, isFactory: request.factoryKeyId !== '' }
  const settings = await takeUploads(deps, kind.descriptor, subject, caller)
  if (kind.descriptor.downloads) deps.warmForge(request.kind)
  // What the kind cannot plant is refused before its provider makes anything.
  if (provider !== undefined) kind.renders(address, settings, {})
  return { request, kind, origin, address, settings, provider }
}

async function provisionFor(
  { request: { kind, memo }, address, settings, provider }: Draft,
  { provisioner }: TokenCreatorDeps,
): Promise<Provisioned | undefined> {
  if (provider === undefined) return undefined
  return provisioner.provision(provider, { tokenId: address.tokenId, kind, memo, address, settings })
}

/** The row is without its numbers, which the transaction gives it. */
function rowOf(
  { request, kind, origin, address, settings }: Draft,
  { vault, world }: TokenCreatorDeps,
  provisioned: Provisioned | undefined,
): Omit<PreparedToken, 'provisioned'> {
  const { tokenId } = address
  const given = provisioned?.issued ?? {}
  const issued = sealIssued(vault, tokenId, given)
  const row = {
    token_id: tokenId,
    number: 0,
    kind: request.kind,
    memo: request.memo,
    flock_id: request.flockId,
    settings: sealSettings(vault, tokenId, settings, kind.descriptor.settings),
    renders: rendersColumn(kind.renders(address, settings, given), kind.descriptor.settings, issued),
    issued,
    url: address.url,
    hostname: address.hostname,
    peer_key: kind.peerKey?.(deriver(request.kind, seedOf(vault, tokenId))) ?? '',
    mysql: origin.mysql,
    postgres: origin.postgres,
    enabled: 1,
    ...newCare(request.care, { keyId: request.createdBy, at: world.clock.now() }),
    created_at: world.clock.now(),
    created_by: request.createdBy,
    factory_key_id: request.factoryKeyId,
    triggered_count: 0,
    touched_at: 0,
    updated_id: 0,
  }
  return { row, fileIds: fileIdsOf(settings), trail: request.trail }
}

function originOf({ customDomain }: TokenRequest, origin: TokenOrigin): TokenOrigin {
  if (customDomain === undefined) return origin
  if (isDomainName(customDomain, MAX_DOMAIN_CHARACTERS)) return withDomain(origin, customDomain)
  throw invalidParameter(
    'custom_domain',
    `must be a domain name of at most ${MAX_DOMAIN_CHARACTERS} characters, such as files.example.com, not ${JSON.stringify(customDomain.slice(0, 64))}`,
  )
}

async function storeTokens(tx: Tx, tokens: readonly PreparedToken[]): Promise<Stored> {
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
