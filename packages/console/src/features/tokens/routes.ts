// Extension: tokens are created, found, changed and deleted with an API key.
import { tokens } from '@rookery/contract/groups/tokens.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { kindNamed, kindNames } from '../../flows/tokens/kinds.ts'
import type { CreateToken } from '../../flows/tokens/create.ts'
import { updatedColumns } from '../../flows/tokens/update.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { everyToken } from '../../stores/tokens/lists.store.ts'
import { changeToken, findToken, findTokens, removeTokens, type TokenRow } from '../../stores/tokens/store.ts'
import { tokenFile } from '../../views/tokens/file.ts'
import { createdToken, tokenView } from '../../views/tokens/view.ts'
import { readTokenPage } from './paging.ts'
import { chunksOf, tokensAnswer } from './stream.ts'

type TokensDeps = Pick<AppContext, 'engine' | 'reader' | 'vault' | 'world'> & { readonly plant: CreateToken }
type ChangedColumns = Parameters<typeof changeToken>[2]

const UNKNOWN = 'Could not find the decoytoken'
const MAX_TOKENS_PER_DELETE = 10_000

export function tokensRoutes({ engine, reader, vault, world, plant }: TokensDeps): Route<Call>[] {
  const read = async (tokenId: string, { caller }: Call): Promise<TokenRow> =>
    required(await findToken(reader, caller.scope, tokenId), UNKNOWN)

  /** Changes one token; touches after the commit see the change. */
  const change = (tokenId: string, call: Call, columnsOf: (row: TokenRow) => ChangedColumns) =>
    call.change(async (tx) => {
      const row = required(await findToken(tx.query, call.caller.scope, tokenId), UNKNOWN)
      const changed = { ...columnsOf(row), updated_id: await tx.updatedIds(1) }
      await changeToken(tx.query, tokenId, changed)
      await tx.configChanged()
      return { decoytoken: tokenView({ ...row, ...changed }) }
    })

  const remove = (tokenIds: readonly string[], call: Call): Promise<TokenRow[]> =>
    call.change(async (tx) => {
      const rows = await allOf(tx, tokenIds, call)
      const flockIds = new Set(rows.map((row) => row.flock_id))
      call.note({ tokens: rows.length, ...(flockIds.size === 1 && { flock_id: rows[0]?.flock_id ?? '' }) })
      await removeTokens(tx, tokenIds, world.clock.now())
      await tx.configChanged()
      return rows
    })

  return implement(tokens, {
    async create({ memo, kind, flock_id, custom_domain, ...given }, { caller, auditEntry }: Call) {
      const row = await plant({
        kind,
        memo,
        flockId: flock_id,
        customDomain: custom_domain,
        given,
        createdBy: caller.keyId,
        factoryKeyId: '',
        trail: auditEntry,
      })
      return { decoytoken: createdToken(row, undefined) }
    },
    update: ({ decoytoken, memo, ...given }, call: Call) =>
      change(decoytoken, call, (row) => updatedColumns(row, { memo, given })),
    enable: ({ decoytoken }, call: Call) => change(decoytoken, call, () => ({ enabled: 1 })),
    disable: ({ decoytoken }, call: Call) => change(decoytoken, call, () => ({ enabled: 0 })),
    async remove({ decoytoken }, call: Call) {
      const [row] = await remove([decoytoken], call)
      return { decoytoken: tokenView(required(row, UNKNOWN)) }
    },
    async removeMany({ decoytokens }, call: Call) {
      const ids = idsOf(decoytokens)
      await remove(ids, call)
      return { decoytokens: ids }
    },

    async fetch({ decoytoken }, call: Call) {
      return { token: tokenView(await read(decoytoken, call)) }
    },
    async download({ decoytoken }, call: Call) {
      return tokenFile(await read(decoytoken, call))
    },
    kinds: () => Promise.resolve({ decoytokens: kindNames }),
    async ofFlock({ flock_id }, { caller }: Call) {
      if (flock_id === undefined) return tokensAnswer({}, everyToken(engine, caller.scope, {}))
      await existingFlock(reader, caller.scope, flock_id)
      return tokensAnswer({}, everyToken(engine, caller.scope, { flockId: flock_id }))
    },
    async paginate({ flock_id, limit, cursor }, call: Call) {
      const filter = flock_id === undefined ? {} : { flockId: flock_id }
      const list = { path: '/decoytokens/paginate', filter, order: 'oldest', limit } as const
      const page = await readTokenPage({ engine, vault }, call, list, cursor)
      return tokensAnswer(
        { cursor: page.cursor, page_num: page.number, page_total: page.pages },
        chunksOf(page.rows),
      )
    },
    async search({ filter_str, kind, flock_id, limit, cursor }, call: Call) {
      const filter = {
        ...(filter_str !== undefined && { text: filter_str }),
        ...(kind !== undefined && { kind: kindNamed(kind).descriptor.kind }),
        ...(flock_id !== undefined && { flockId: flock_id }),
      }
      const list = { path: '/decoytokens/search', filter, order: 'newest', limit } as const
      const page = await readTokenPage({ engine, vault }, call, list, cursor)
      return tokensAnswer(
        {
          cursor: page.cursor,
          page_number: page.number,
          total_pages: page.pages,
          total_results: page.total,
        },
        chunksOf(page.rows),
      )
    },
  })
}

/** The tokens of these ids; `not-found` if one is missing. */
async function allOf(tx: Tx, tokenIds: readonly string[], { caller }: Call): Promise<TokenRow[]> {
  const rows = await findTokens(tx, caller.scope, tokenIds)
  const found = new Set(rows.map((row) => row.token_id))
  const missing = tokenIds.find((id) => !found.has(id))
  if (missing === undefined) return rows
  if (tokenIds.length === 1) throw new Fault('not-found', UNKNOWN)
  const shown = missing.slice(0, 64)
  throw new Fault('not-found', `${UNKNOWN}: ${shown}`, {
    details: { decoytokens: `names ${shown}, which does not exist` },
  })
}

function idsOf(list: string): string[] {
  const ids = list.split(',').map((id) => id.trim())
  const distinct = [...new Set(ids.filter(Boolean))]
  if (distinct.length === 0) {
    throw new Fault('bad-input', 'Empty decoytokens', { details: { decoytokens: 'must name a token' } })
  }
  if (distinct.length <= MAX_TOKENS_PER_DELETE) return distinct
  throw new Fault('bad-input', 'Parameter decoytokens was invalid.', {
    details: { decoytokens: `must name at most ${MAX_TOKENS_PER_DELETE} tokens, not ${distinct.length}` },
  })
}
