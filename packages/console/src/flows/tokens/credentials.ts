// The keys and names of a new token: made of its seed each time, or issued by its provider.
import { deriver } from '@rookery/tokens/derive.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { Credentials, TokenKind } from '@rookery/tokens/token.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { addressOf } from './address.ts'
import { openIssued } from './issued-at-rest.ts'
import { seedOf } from '../../secrets/token-seed.ts'
import { openSettings } from './settings-at-rest.ts'

type Row = Pick<TokenRow, 'kind' | 'settings' | 'issued'> & Parameters<typeof addressOf>[0]

/** Empty for a kind without any. */
export function credentialsOf(
  vault: Pick<Vault, 'open' | 'blockCipher'>,
  row: Row,
  kind: Pick<TokenKind, 'credentials'> | undefined = kinds[row.kind],
): Credentials {
  const derive = deriver(row.kind, seedOf(vault, row.token_id))
  const [settings, issued] = [openSettings(vault, row), openIssued(vault, row)]
  return kind?.credentials?.(addressOf(row), settings, derive, issued) ?? {}
}
