// Tokens that were touched lately, as they stand: what is touched once is mostly touched again.
import type { TokenSettings } from '@rookery/tokens/token.ts'
import type { Tx } from '../../db/query.ts'
import { loadTokenSubjects, type TokenSubject } from '../../stores/tokens/store.ts'

/** What a touch needs to know of its token. */
export type KnownToken = Omit<TokenSubject, 'settings'> & { readonly settings: TokenSettings }

export interface KnownTokens {
  /** Begins a batch: what it reads is remembered only once `commit` says that the transaction is. */
  batch(tx: Tx): TokenBatch
}

export interface TokenBatch {
  /** The tokens by id; one that was deleted on purpose is of no kind, one that never was is left out. */
  load(tokenIds: Iterable<string>): Promise<ReadonlyMap<string, KnownToken>>
  commit(): void
}

const MOST_KNOWN = 10_000

export function openKnownTokens(): KnownTokens {
  // Whoever changes tokens changes the version with them, in the same transaction.
  let knownIn: number | undefined
  const known = new Map<string, KnownToken>()

  return {
    batch(tx) {
      const version = tx.configVersion()
      const read = new Map<string, KnownToken>()
      return {
        async load(tokenIds) {
          const found = new Map<string, KnownToken>()
          const missing: string[] = []
          for (const id of new Set(tokenIds)) {
            const token = version === knownIn ? known.get(id) : undefined
            if (token) found.set(id, token)
            else missing.push(id)
          }
          if (missing.length === 0) return found
          for (const [id, row] of await loadTokenSubjects(tx, missing)) {
            const token = { ...row, settings: JSON.parse(row.settings) as TokenSettings }
            found.set(id, token)
            read.set(id, token)
          }
          return found
        },
        commit() {
          if (read.size === 0) return
          if (version !== knownIn || known.size + read.size > MOST_KNOWN) known.clear()
          knownIn = version
          for (const [id, token] of read) known.set(id, token)
        },
      }
    },
  }
}
