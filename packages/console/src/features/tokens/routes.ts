// Extension: tokens are created, found, changed and deleted with an API key.
import { tokens } from '@rookery/contract/groups/tokens.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import type { WireguardPlacement } from '@rookery/tokens/token.ts'
import type { AppContext } from '../../app-context.ts'
import { kindNames } from '../../flows/tokens/kinds.ts'
import type { CreateToken } from '../../flows/tokens/create.ts'
import type { TokenBatches } from '../../flows/tokens/token-batch.ts'
import { tokenRequest } from '../../flows/tokens/token-request.ts'
import type { Call } from '../../http/call.ts'
import type { WarningsOf } from '../../views/tokens/creation-warnings.ts'
import { channelViews } from '../../views/tokens/channels.ts'
import { providerViews, type ProviderViewDeps } from '../../views/tokens/providers.ts'
import { readChannels } from '../../stores/channels/store.ts'
import { existingToken, noToken, type TokenRow } from '../../stores/tokens/store.ts'
import { kindViews } from '../../views/tokens/kinds.ts'
import { tokenFile } from '../../views/tokens/file.ts'
import { createdToken, tokenView } from '../../views/tokens/view.ts'
import { createBatch } from './batch.ts'
import { tokenChanges, type TokenChangesDeps } from './changes.ts'
import { historyFile, historyPage } from './history-answers.ts'
import { tokenLists } from './lists.ts'
import { selfTest } from './self-test/self-test.ts'

interface TokensDeps extends TokenChangesDeps, Pick<AppContext, 'engine' | 'reader'> {
  readonly createToken: CreateToken
  readonly batches: TokenBatches
  readonly warningsOf: WarningsOf
  readonly tokensDomain: string
  readonly providers: ProviderViewDeps
  readonly wireguard: WireguardPlacement
}

const MAX_TOKENS_AT_ONCE = 10_000

export function tokensRoutes(deps: TokensDeps): Route<Call>[] {
  const { engine, reader, vault, createToken, warningsOf, providers } = deps
  const read = (tokenId: string, { caller }: Call): Promise<TokenRow> =>
    existingToken(reader, caller.scope, tokenId)

  const { enable, disable, update, remove } = tokenChanges(deps)

  return implement(tokens, {
    async create({ flock_id, ...params }, { caller, auditEntry }: Call) {
      const created = await createToken(
        tokenRequest(params, {
          flockId: flock_id,
          createdBy: caller.keyId,
          factoryKeyId: '',
          trail: auditEntry,
        }),
      )
      const { kind, custom_domain } = params
      const warnings = await warningsOf({ kind, settings: created.settings }, custom_domain)
      return { decoytoken: createdToken(vault, created, undefined), ...warnings }
    },
    createMany: (given, call: Call) => createBatch(deps, call, given),
    async update(
      { decoytoken, memo, quiet_sources, clear_quiet_sources, force, first_only, ...rest },
      call: Call,
    ) {
      const { placement, clear_placement, ...given } = rest
      const care = {
        quiet_sources: clear_quiet_sources ? '' : quiet_sources,
        force,
        first_only,
        placement: clear_placement ? '' : placement,
      }
      const changedBy = call.caller.keyId
      const row = await update(await read(decoytoken, call), call, { memo, care, changedBy, given })
      return { decoytoken: tokenView(vault, row) }
    },
    async enable({ decoytoken }, call: Call) {
      return { decoytoken: tokenView(vault, await enable(decoytoken, call, 1)) }
    },
    async disable({ decoytoken }, call: Call) {
      return { decoytoken: tokenView(vault, await enable(decoytoken, call, 0)) }
    },
    selfTest: async ({ decoytoken, alert }, call: Call) => {
      const { steps, ...result } = await selfTest(deps, call, await read(decoytoken, call), alert)
      return { ...result, steps: [...steps] }
    },
    async remove({ decoytoken }, call: Call) {
      const [row] = await remove([decoytoken], call)
      if (!row) throw noToken()
      return { decoytoken: tokenView(vault, row) }
    },
    async disableMany({ decoytokens }, call: Call) {
      const ids = idsOf(decoytokens)
      await disable(ids, call)
      return { decoytokens: ids }
    },
    async removeMany({ decoytokens }, call: Call) {
      const ids = idsOf(decoytokens)
      await remove(ids, call)
      return { decoytokens: ids }
    },

    async fetch({ decoytoken }, call: Call) {
      return { token: tokenView(vault, await read(decoytoken, call)) }
    },
    async history({ decoytoken, format, ...asked }, call: Call) {
      const token = await read(decoytoken, call)
      return format === 'csv'
        ? historyFile({ engine, reader }, token, call, asked.tz)
        : historyPage({ engine, reader, vault }, token, call, asked)
    },
    async download({ decoytoken }, call: Call) {
      const forging = { keyId: call.caller.keyId, isFactory: false }
      return tokenFile(await read(decoytoken, call), deps, forging)
    },
    kindFacts: async () => ({ kinds: await kindViews(reader, providers) }),
    channels: async () => ({
      channels: channelViews(await readChannels(reader)),
      providers: await providerViews(reader, providers),
    }),
    kinds: () => Promise.resolve({ decoytokens: kindNames }),
    ...tokenLists(deps),
  })
}

function idsOf(list: string): string[] {
  const ids = list.split(',').map((id) => id.trim())
  const distinct = [...new Set(ids.filter(Boolean))]
  if (distinct.length === 0) {
    throw new Fault('bad-input', 'Empty decoytokens', { details: { decoytokens: 'must name a token' } })
  }
  if (distinct.length <= MAX_TOKENS_AT_ONCE) return distinct
  throw invalidParameter(
    'decoytokens',
    `must name at most ${MAX_TOKENS_AT_ONCE} tokens, not ${distinct.length}`,
  )
}
