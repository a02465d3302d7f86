// What a provider issued for a token, as the token's row holds it: sealed JSON.
import type { IssuedValues } from '@rookery/tokens/issued-values.ts'
import type { Place, Vault } from '../../secrets/vault.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

const placeOf = (tokenId: string): Place => ({ table: 'token', column: 'issued', row: tokenId })

/** The text of the column; empty for nothing. */
export const sealIssued = (vault: Pick<Vault, 'seal'>, tokenId: string, issued: IssuedValues): string =>
  Object.keys(issued).length === 0 ? '' : vault.seal(JSON.stringify(issued), placeOf(tokenId))

/** What was sealed; throws `unavailable` where it does not open. */
export const openIssued = (
  vault: Pick<Vault, 'open'>,
  { token_id, issued }: Pick<TokenRow, 'token_id' | 'issued'>,
): IssuedValues => (issued === '' ? {} : (JSON.parse(vault.open(issued, placeOf(token_id))) as IssuedValues))
