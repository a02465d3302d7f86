// What every token has besides the settings of its kind: how its touches are treated, and where it was put.
import type { TokenRow } from '../../stores/tokens/store.ts'
import { readQuietSources } from './quiet-sources.ts'

/** As a caller gives it; what is absent stays, and is off for a new token. */
export interface TokenCare {
  readonly quiet_sources?: string | undefined
  readonly force?: boolean | undefined
  readonly first_only?: boolean | undefined
  /** Empty: nobody says where the token is. */
  readonly placement?: string | undefined
}

export type CareColumns = Pick<
  TokenRow,
  'quiet_sources' | 'first_only' | 'placement' | 'placement_by' | 'placement_at'
>

/** Who gives it, and when. */
export interface CareAuthor {
  readonly keyId: string
  readonly at: number
}

const OFF: CareColumns = {
  quiet_sources: '',
  first_only: 0,
  placement: '',
  placement_by: '',
  placement_at: 0,
}

/** The columns that are given; a `bad-input` for a wrong one. */
export const readCare = (
  { quiet_sources, force = false, first_only, placement }: TokenCare,
  { keyId, at }: CareAuthor,
): Partial<CareColumns> => ({
  ...(quiet_sources !== undefined && { quiet_sources: readQuietSources(quiet_sources, force) }),
  ...(first_only !== undefined && { first_only: first_only ? 1 : 0 }),
  ...(placement !== undefined && {
    placement,
    placement_by: placement === '' ? '' : keyId,
    placement_at: placement === '' ? 0 : at,
  }),
})

/** The columns of a new token. */
export const newCare = (care: TokenCare, by: CareAuthor): CareColumns => ({ ...OFF, ...readCare(care, by) })
