// What an operation asks for that creates tokens.
import type { tokens } from '@rookery/contract/groups/tokens.ts'
import type { Params } from '@rookery/contract/operation.ts'
import type { TokenRequest } from './draft.ts'

/** `given` stays what the kind's own parameters are. */
export const tokenRequest = (
  {
    kind,
    memo,
    custom_domain,
    quiet_sources,
    force,
    first_only,
    placement,
    ...given
  }: Omit<Params<typeof tokens.create>, 'flock_id'>,
  origin: Pick<TokenRequest, 'flockId' | 'createdBy' | 'factoryKeyId' | 'trail'>,
): TokenRequest => ({
  ...origin,
  kind,
  memo,
  given,
  customDomain: custom_domain,
  care: { quiet_sources, force, first_only, placement },
})
