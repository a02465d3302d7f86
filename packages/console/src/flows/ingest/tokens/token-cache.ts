// The tokens that were touched lately: one that is touched once is mostly touched again.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import { prepareKind, type VisitedToken } from '@rookery/tokens/token.ts'
import type { AppContext } from '../../../app-context.ts'
import { loader } from '../../../db/loader.ts'
import type { Tx } from '../../../db/query.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { loadTokenSubjects, readTokenSubjects, type TokenSubject } from '../../../stores/tokens/store.ts'
import { compileQuietSources, type QuietSources } from '../../tokens/quiet-sources.ts'
import { seedOf } from '../../../secrets/token-seed.ts'
import { openSettings } from '../../tokens/settings-at-rest.ts'

/** What a touch needs to know of its token. */
export type CachedToken = Omit<TokenSubject, 'settings' | 'quiet_sources' | 'created_at'> & {
  readonly settings: TokenSettings
  readonly quietSources: QuietSources
  readonly visited: VisitedToken
}

export interface TokenCache {
  /** The token as it was last; undefined for one that is not cached. */
  peek(tokenId: string): CachedToken | undefined
  /** The token as it is; undefined for the id of none. */
  read(tokenId: string): Promise<CachedToken | undefined>
  /** Begins a batch: what it reads is cached only once `commit` says that the transaction is committed. */
  batch(tx: Tx): TokenBatch
}

export interface TokenBatch {
  /** The tokens by id; one that was deleted on purpose is of no kind, one that never was is left out. */
  load(tokenIds: Iterable<string>): Promise<ReadonlyMap<string, CachedToken>>
  commit(): void
}

/** Tokens that are cached, since each touch needs its token. */
const TOKENS = limit('token_cache', 10_000)

export function openTokenCache({ vault, reader }: Pick<AppContext, 'vault' | 'reader'>): TokenCache {
  // A change of tokens raises the version in its own transaction.
  let cachedIn: number | undefined
  const cache = boundedMap<string, CachedToken>(TOKENS)

  async function opened({
    created_at: createdAt,
    quiet_sources,
    ...row
  }: TokenSubject): Promise<CachedToken> {
    const visited = {
      tokenId: row.token_id,
      createdAt,
      derive: deriver(row.kind, seedOf(vault, row.token_id)),
    }
    const settings = openOrNone(vault, row)
    await prepareKind(kinds[row.kind], settings)
    return { ...row, settings, quietSources: compileQuietSources(quiet_sources), visited }
  }

  const rowOf = loader((tokenIds: readonly string[]) => readTokenSubjects(reader, tokenIds))

  return {
    peek: (tokenId) => cache.peek(tokenId),
    async read(tokenId) {
      const row = await rowOf(tokenId)
      return row && opened(row)
    },
    batch(tx) {
      const version = tx.configVersion()
      const read = new Map<string, CachedToken>()
      return {
        async load(tokenIds) {
          const found = new Map<string, CachedToken>()
          const missing: string[] = []
          for (const id of new Set(tokenIds)) {
            const token = version === cachedIn ? cache.get(id) : undefined
            if (token) found.set(id, token)
            else missing.push(id)
          }
          if (missing.length === 0) return found
          for (const [id, row] of await loadTokenSubjects(tx, missing)) {
            const token = await opened(row)
            found.set(id, token)
            read.set(id, token)
          }
          return found
        },
        commit() {
          if (read.size === 0) return
          if (version !== cachedIn) cache.clear()
          cachedIn = version
          for (const [id, token] of read) cache.set(id, token)
        },
      }
    },
  }
}

/** A touch counts whatever became of a secret: without its settings, a kind that judges by them fires. */
function openOrNone(
  vault: Pick<Vault, 'open'>,
  row: Omit<TokenSubject, 'quiet_sources' | 'created_at'>,
): TokenSettings {
  try {
    return openSettings(vault, row)
  } catch (error) {
    if (error instanceof Fault) return {}
    throw error
  }
}
