// Creates tokens: a draft, what its provider issues, then the row. Requests that arrive while one transaction is being written
// share the next one.
import { batcher } from '@rookery/kernel/batcher.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { AppContext } from '../../app-context.ts'
import { lateTransaction, type LateTransaction } from '../../db/late-transaction.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import type { Provisioner } from '../providers/provision.ts'
import type { TokenOrigin } from './address.ts'
import { draftOf, refuseIssued, type DraftDeps, type TokenRequest } from './draft.ts'
import { provisionFor, rowOf } from './provision.ts'
import { storeTokens, type PreparedToken, type Stored } from './store-tokens.ts'

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

const TOKENS_PER_TRANSACTION = 512

export interface TokenCreatorDeps extends DraftDeps, Pick<AppContext, 'writer'> {
  readonly provisioner: Provisioner
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
