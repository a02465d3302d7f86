// How the touches of one token are treated, whatever its kind.
import type { TokenRow } from '../../stores/tokens/store.ts'
import { readQuietSources } from './quiet-sources.ts'

/** As a caller gives it; what is absent stays, and is off for a new token. */
export interface TokenCare {
  readonly quiet_sources?: string | undefined
  readonly force?: boolean | undefined
  readonly first_only?: boolean | undefined
}

export type CareColumns = Pick<TokenRow, 'quiet_sources' | 'first_only'>

const OFF: CareColumns = { quiet_sources: '', first_only: 0 }

/** The columns that are given; a `bad-input` for a wrong one. */
export const readCare = ({ quiet_sources, force = false, first_only }: TokenCare): Partial<CareColumns> => ({
  ...(quiet_sources !== undefined && { quiet_sources: readQuietSources(quiet_sources, force) }),
  ...(first_only !== undefined && { first_only: first_only ? 1 : 0 }),
})

/** The columns of a new token. */
export const newCare = (care: TokenCare): CareColumns => ({ ...OFF, ...readCare(care) })
