// 4.10: the sites where a copy of a page raises nothing, token by token.
import { clonedSiteIgnores } from '@rookery/contract/groups/cloned-site-ignores.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import {
  readSiteIgnores,
  siteIgnoresOf,
  type SiteIgnores,
} from '@rookery/tokens/site-ignores/site-ignores.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query } from '../../db/query.ts'
import { changeSettings, storedSettings } from '../../flows/tokens/change-settings.ts'
import { kindNamed } from '../../flows/tokens/kinds.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { existingToken, noToken, type TokenRow } from '../../stores/tokens/store.ts'

interface TokenParams {
  readonly flock_id: string
  readonly decoytoken: string
}

export function clonedSiteIgnoresRoutes({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] {
  const change = (params: TokenParams, call: Call, changed: Partial<SiteIgnores>) =>
    call.change(async (tx) => {
      await changeSettings(tx, await tokenOf(tx.query, params, call), { ...changed })
      return {}
    })

  return implement(clonedSiteIgnores, {
    disable: (params, call: Call) => change(params, call, { ignores_enabled: false }),
    enable: (params, call: Call) => change(params, call, { ignores_enabled: true }),
    async fetch(params, call: Call) {
      const { ignores, ignores_enabled } = siteIgnoresOf(storedSettings(await tokenOf(reader, params, call)))
      return { ignore_lists: { enabled: ignores_enabled ? 'True' : 'False', ignores: ignores.join(',') } }
    },
    async save({ ignores = '', ...params }, call: Call) {
      return change(params, call, { ignores: await readSiteIgnores(ignores) })
    },
  })
}

/** The Flock's token; `bad-input` for a kind without such a list. */
async function tokenOf(
  db: Query,
  { flock_id, decoytoken }: TokenParams,
  { caller }: Call,
): Promise<TokenRow> {
  await existingFlock(db, caller.scope, flock_id)
  const row = await existingToken(db, caller.scope, decoytoken)
  if (row.flock_id !== flock_id) throw noToken()
  if (kindNamed(row.kind).descriptor.ignoresSites) return row
  throw invalidParameter('decoytoken', `is of the kind ${row.kind}, which has no list of ignored sites`)
}
