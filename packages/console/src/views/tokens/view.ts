// A token as the wire shows it (2.9).
import type { CreatedToken, Token } from '@rookery/contract/records/token.ts'
import { printable } from '@rookery/kernel/time.ts'
import type { Static } from 'typebox'
import type { TokenRow } from '../../stores/tokens/store.ts'

type TokenView = Static<typeof Token>

export const tokenView = (row: TokenRow): TokenView => ({
  ...scalarFields(row),
  renders: JSON.parse(row.renders) as Record<string, string>,
})

/** The same as JSON text, for long lists: `renders` is JSON in its column already. */
export const tokenJson = (row: TokenRow): string =>
  `${JSON.stringify(scalarFields(row)).slice(0, -1)},"renders":${row.renders}}`

const scalarFields = (row: TokenRow): Omit<TokenView, 'renders'> => ({
  decoytoken: row.token_id,
  created: (row.created_at / 1000).toFixed(6),
  created_printable: printable(row.created_at),
  enabled: row.enabled === 1,
  flock_id: row.flock_id,
  hostname: row.hostname,
  key: `decoydrop:${row.token_id}`,
  kind: row.kind,
  memo: row.memo,
  node_id: row.token_id,
  triggered_count: row.triggered_count,
  updated_id: row.updated_id,
  url: row.url,
})

/** As its creator sees it. `factoryAuth` is undefined if an API key created it, or if the console shows keys once. */
export const createdToken = (
  row: TokenRow,
  factoryAuth: string | undefined,
): Static<typeof CreatedToken> => ({
  ...tokenView(row),
  ...(factoryAuth !== undefined && { factory_auth: factoryAuth }),
})
