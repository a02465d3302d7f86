// Changes a token in its place: another memo, other settings of its kind; its URL and host name stay.
import { Fault } from '@rookery/kernel/fault.ts'
import { readGivenSettings, type TokenSettings } from '@rookery/tokens/settings.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { addressOf } from './address.ts'
import { kindNamed } from './kinds.ts'

export interface TokenUpdate {
  readonly memo: string | undefined
  /** Settings of any kind; what this one does not know is left out. */
  readonly given: TokenSettings
}

/** The changed columns; an update that changes nothing is a `bad-input`. */
export function updatedColumns(
  row: TokenRow,
  { memo, given }: TokenUpdate,
): Partial<Pick<TokenRow, 'memo' | 'settings' | 'renders'>> {
  const { descriptor, forge } = kindNamed(row.kind)
  const changed = readGivenSettings(descriptor, given)
  const isChanged = Object.keys(changed).length > 0
  if (memo === undefined && !isChanged) {
    const known = Object.keys(descriptor.settings)
    const settings = known.length > 0 ? `, or a setting of the kind ${row.kind}: ${known.join(', ')}` : ''
    throw new Fault('bad-input', 'Nothing to change.', { details: { memo: `is required${settings}` } })
  }
  const settings = { ...(JSON.parse(row.settings) as TokenSettings), ...changed }
  return {
    ...(memo !== undefined && { memo }),
    ...(isChanged && {
      settings: JSON.stringify(settings),
      renders: JSON.stringify(forge(addressOf(row), settings).renders),
    }),
  }
}
