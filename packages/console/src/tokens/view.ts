// A token as the wire shows it (2.9).
import type { CreatedToken, Token } from '@rookery/contract/records/token.ts'
import { printable } from '@rookery/kernel/time.ts'
import type { Static } from 'typebox'
import type { TokenRow } from '../stores/tokens/store.ts'

type Shown = Static<typeof Token>

export const tokenView = (row: TokenRow): Shown => ({
  ...plainFields(row),
  renders: JSON.parse(row.renders) as Record<string, string>,
})

/** The same as JSON text, for lists of many: what was planted is JSON already. */
export const tokenJson = (row: TokenRow): string =>
  `${JSON.stringify(plainFields(row)).slice(0, -1)},"renders":${row.renders}}`

const plainFields = (row: TokenRow): Omit<Shown, 'renders'> => ({
  decoytoken: row.token_id,
  created: (row.created_at / 1000).toFixed(6),
  created_printable: printable(row.created_at),
  enabled: row.enabled === 1,
  flock_id: row.flock_id,
  hostname: row.hostname,
  key: `decoydrop:${row.token_id}`,
  kind: row.kind,
  memo: row.memo,
  triggered_count: row.triggered_count,
  updated_id: row.updated_id,
  url: row.url,
})

/** As its maker sees it; `factoryAuth` undefined: an API key made it, or the console shows keys once. */
export const createdToken = (
  row: TokenRow,
  factoryAuth: string | undefined,
): Static<typeof CreatedToken> => ({
  ...tokenView(row),
  ...(factoryAuth !== undefined && { factory_auth: factoryAuth }),
})
