// The tokens that were touched lately: one that is touched once is mostly touched again.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import { prepareKind, type VisitedToken } from '@rookery/tokens/token.ts'
import type { Tx } from '../../../db/query.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { loadTokenSubjects, type TokenSubject } from '../../../stores/tokens/store.ts'
import { compileQuietSources, type QuietSources } from '../../tokens/quiet-sources.ts'
import { seedOf } from '../../tokens/seed.ts'
import { openSettings } from '../../tokens/settings-at-rest.ts'

/** What a touch needs to know of its token. */
export type CachedToken = Omit<TokenSubject, 'settings' | 'quiet_sources' | 'created_at'> & {
  readonly settings: TokenSettings
  readonly quietSources: QuietSources
  readonly visited: VisitedToken
}

export interface TokenCache {
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

export function openTokenCache(vault: Pick<Vault, 'open' | 'blockCipher'>): TokenCache {
  // A change of tokens raises the version in its own transaction.
  let cachedIn: number | undefined
  const cache = boundedMap<string, CachedToken>(TOKENS)

  return {
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
          for (const [id, { created_at: createdAt, quiet_sources, ...row }] of await loadTokenSubjects(
            tx,
            missing,
          )) {
            const derive = deriver(row.kind, seedOf(vault, row.token_id))
            const visited = { tokenId: row.token_id, createdAt, derive }
            const settings = openOrNone(vault, row)
            const token = { ...row, settings, quietSources: compileQuietSources(quiet_sources), visited }
            await prepareKind(kinds[token.kind], token.settings)
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
