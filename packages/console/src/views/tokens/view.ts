// A token as the wire shows it (2.9).
import type { CreatedToken, Token } from '@rookery/contract/records/token.ts'
import { epoch, printable } from '@rookery/kernel/time.ts'
import type { Static } from 'typebox'
import type { NewToken } from '../../flows/tokens/create.ts'
import { credentialsOf } from '../../flows/tokens/credentials.ts'
import { showQuietSources } from '../../flows/tokens/quiet-sources.ts'
import { rendersOf } from '../../flows/tokens/settings-at-rest.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

type TokenView = Static<typeof Token>

export const tokenView = (vault: Vault, row: TokenRow): TokenView => ({
  ...scalarFields(row),
  renders: JSON.parse(rendersOf(vault, row)) as Record<string, string>,
})

/** The same as JSON text, for long lists: `renders` is mostly JSON in its column already. */
export const tokenJson = (vault: Vault, row: TokenRow): string =>
  `${JSON.stringify(scalarFields(row)).slice(0, -1)},"renders":${rendersOf(vault, row)}}`

const scalarFields = (row: TokenRow): Omit<TokenView, 'renders'> => ({
  decoytoken: row.token_id,
  created: (row.created_at / 1000).toFixed(6),
  created_printable: printable(row.created_at),
  enabled: row.enabled === 1,
  first_only: row.first_only === 1,
  flock_id: row.flock_id,
  hostname: row.hostname,
  key: `decoydrop:${row.token_id}`,
  kind: row.kind,
  last_triggered: row.touched_at === 0 ? null : epoch(row.touched_at),
  memo: row.memo,
  node_id: row.token_id,
  placement: row.placement,
  placement_at: row.placement_at === 0 ? '' : printable(row.placement_at),
  placement_by: row.placement_by,
  quiet_sources: showQuietSources(row.quiet_sources),
  triggered_count: row.triggered_count,
  updated_id: row.updated_id,
  url: row.url,
})

/** As its creator sees it. `factoryAuth` is undefined if an API key created it, or if the console shows keys once. */
export const createdToken = (
  vault: Vault,
  { row, shownOnce }: NewToken,
  factoryAuth: string | undefined,
): Static<typeof CreatedToken> => ({
  ...scalarFields(row),
  renders: { ...(JSON.parse(rendersOf(vault, row)) as Record<string, string>), ...shownOnce },
  ...credentialsOf(vault, row),
  ...(factoryAuth !== undefined && { factory_auth: factoryAuth }),
})
