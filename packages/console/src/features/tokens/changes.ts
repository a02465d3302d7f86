// Changes of tokens that exist, each in one transaction: touches after its commit see the change.
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import type { TargetDeps } from '../../flows/tokens/check-targets.ts'
import type { UploadDeps } from '../../flows/tokens/take-uploads.ts'
import { prepareUpdate, updateToken, type TokenUpdate } from '../../flows/tokens/update.ts'
import type { Call } from '../../http/call.ts'
import {
  changeToken,
  disableTokens,
  existingToken,
  findTokens,
  noToken,
  removeTokens,
  type TokenRow,
} from '../../stores/tokens/store.ts'

export interface TokenChangesDeps
  extends Pick<AppContext, 'writer' | 'vault' | 'world'>, UploadDeps, TargetDeps {
  /** Called after the commit: files that no token has any more are removed now. */
  readonly wakeHousekeeping: () => void
  /** Called after the commit: what providers issued for deleted tokens is revoked now. */
  readonly wakeProviders: () => void
}

/** Each answers the token as it is after the change. */
export interface TokenChanges {
  enable(tokenId: string, call: Call, enabled: 0 | 1): Promise<TokenRow>
  /** All of them, or none and a `not-found` when one is missing. */
  disable(tokenIds: readonly string[], call: Call): Promise<void>
  update(row: TokenRow, call: Call, update: TokenUpdate): Promise<TokenRow>
  /** All of them, or none and a `not-found` when one is missing. */
  remove(tokenIds: readonly string[], call: Call): Promise<TokenRow[]>
}

export function tokenChanges(deps: TokenChangesDeps): TokenChanges {
  const change = (tokenId: string, call: Call, apply: (tx: Tx, row: TokenRow) => Promise<TokenRow>) =>
    call.change(async (tx) => {
      const changed = await apply(tx, await existingToken(tx.query, call.caller.scope, tokenId))
      await tx.configChanged()
      return changed
    })

  return {
    enable: (tokenId, call, enabled) =>
      change(tokenId, call, async (tx, row) => {
        const changed = { enabled, updated_id: await tx.updatedIds(1) }
        await changeToken(tx.query, tokenId, changed)
        return { ...row, ...changed }
      }),

    disable: (tokenIds, call) =>
      call.change(async (tx) => {
        noteTokens(await allOf(tx, tokenIds, call), call)
        await disableTokens(tx, tokenIds)
        await tx.configChanged()
      }),

    async update(row, call, update) {
      const prepared = await prepareUpdate(deps, row, update)
      const changed = await change(row.token_id, call, (tx, now) =>
        updateToken(tx, deps.vault, now, prepared),
      )
      deps.wakeHousekeeping()
      return changed
    },

    async remove(tokenIds, call) {
      const removed = await call.change(async (tx) => {
        const rows = await allOf(tx, tokenIds, call)
        noteTokens(rows, call)
        await removeTokens(tx, tokenIds, deps.world.clock.now())
        await tx.configChanged()
        return rows
      })
      deps.wakeHousekeeping()
      deps.wakeProviders()
      return removed
    },
  }
}

/** For the audit trail: how many, and the Flock that all of them are in. */
function noteTokens(rows: readonly TokenRow[], { note }: Call): void {
  const flockIds = new Set(rows.map((row) => row.flock_id))
  note({ tokens: rows.length, ...(flockIds.size === 1 && { flock_id: rows[0]?.flock_id ?? '' }) })
}

/** The tokens of these ids; `not-found` if one is missing. */
async function allOf(tx: Tx, tokenIds: readonly string[], { caller }: Call): Promise<TokenRow[]> {
  const rows = await findTokens(tx, caller.scope, tokenIds)
  const found = new Set(rows.map((row) => row.token_id))
  const missing = tokenIds.find((id) => !found.has(id))
  if (missing === undefined) return rows
  if (tokenIds.length === 1) throw noToken()
  const shown = missing.slice(0, 64)
  throw new Fault('not-found', `${noToken().message}: ${shown}`, {
    details: { decoytokens: `names ${shown}, which does not exist` },
  })
}
