// A token as its maker sees it (2.9).
import { printable } from '@rookery/kernel/time.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

/** `factoryAuth` undefined: an API key made it, or the console shows keys once. */
export const createdToken = (row: TokenRow, factoryAuth: string | undefined) => ({
  decoytoken: row.token_id,
  created: (row.created_at / 1000).toFixed(6),
  created_printable: printable(row.created_at),
  enabled: row.enabled === 1,
  ...(factoryAuth !== undefined && { factory_auth: factoryAuth }),
  flock_id: row.flock_id,
  hostname: row.hostname,
  key: `decoydrop:${row.token_id}`,
  kind: row.kind,
  memo: row.memo,
  renders: JSON.parse(row.renders) as Record<string, string>,
  triggered_count: row.triggered_count,
  updated_id: row.updated_id,
  url: row.url,
})
