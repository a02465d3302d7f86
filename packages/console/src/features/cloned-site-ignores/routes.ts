// 4.10: the sites where a copy of a page raises nothing, token by token.
import { clonedSiteIgnores } from '@rookery/contract/groups/cloned-site-ignores.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import {
  readSiteIgnores,
  siteIgnoresOf,
  type SiteIgnores,
} from '@rookery/tokens/site-ignores/site-ignores.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query } from '../../db/query.ts'
import { kindNamed } from '../../flows/tokens/kinds.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { changeToken, findToken } from '../../stores/tokens/store.ts'

interface TokenParams {
  readonly flock_id: string
  readonly decoytoken: string
}

export function clonedSiteIgnoresRoutes({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] {
  /** The next touch sees the change. */
  const change = (params: TokenParams, call: Call, changed: Partial<SiteIgnores>) =>
    call.change(async (tx) => {
      const settings = await settingsOf(tx.query, params, call)
      const updated_id = await tx.updatedIds(1)
      const columns = { settings: JSON.stringify({ ...settings, ...changed }), updated_id }
      await changeToken(tx.query, params.decoytoken, columns)
      await tx.configChanged()
      return {}
    })

  return implement(clonedSiteIgnores, {
    disable: (params, call: Call) => change(params, call, { ignores_enabled: false }),
    enable: (params, call: Call) => change(params, call, { ignores_enabled: true }),
    async fetch(params, call: Call) {
      const { ignores, ignores_enabled } = siteIgnoresOf(await settingsOf(reader, params, call))
      return { ignore_lists: { enabled: ignores_enabled ? 'True' : 'False', ignores: ignores.join(',') } }
    },
    async save({ ignores = '', ...params }, call: Call) {
      return change(params, call, { ignores: await readSiteIgnores(ignores) })
    },
  })
}

/** The settings of the Flock's token; `bad-input` for a kind without such a list. */
async function settingsOf(
  db: Query,
  { flock_id, decoytoken }: TokenParams,
  { caller }: Call,
): Promise<TokenSettings> {
  await existingFlock(db, caller.scope, flock_id)
  const row = await findToken(db, caller.scope, decoytoken)
  const { kind, settings } = required(
    row?.flock_id === flock_id ? row : undefined,
    'Could not find the decoytoken',
  )
  if (kindNamed(kind).descriptor.ignoresSites) return JSON.parse(settings) as TokenSettings
  throw new Fault('bad-input', 'Parameter decoytoken was invalid.', {
    details: { decoytoken: `is of the kind ${kind}, which has no list of ignored sites` },
  })
}
