// A token that stays where it is, with another memo or other settings: what is planted anew.
import { Fault } from '@rookery/kernel/fault.ts'
import type { TokenSettings } from '@rookery/tokens/token.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { kindNamed } from './kind.ts'
import { settingsOf } from './settings.ts'

export interface Replanting {
  readonly memo: string | undefined
  /** Settings of any kind; what this one does not know is left out. */
  readonly given: Readonly<Record<string, unknown>>
}

/** The changed columns; an order that changes nothing is a `bad-input`. */
export function replant(
  row: TokenRow,
  { memo, given }: Replanting,
): Partial<Pick<TokenRow, 'memo' | 'settings' | 'renders'>> {
  const { descriptor, forge } = kindNamed(row.kind)
  const known = Object.keys(descriptor.settings)
  const changed = Object.entries(given).filter(([name, value]) => value !== undefined && known.includes(name))
  if (memo === undefined && changed.length === 0) {
    const settings = known.length > 0 ? `, or a setting of the kind ${row.kind}: ${known.join(', ')}` : ''
    throw new Fault('bad-input', 'Nothing to change.', { details: { memo: `is required${settings}` } })
  }
  const settings = settingsOf(descriptor, {
    ...(JSON.parse(row.settings) as TokenSettings),
    ...Object.fromEntries(changed),
  })
  const placement = { tokenId: row.token_id, url: row.url, hostname: row.hostname }
  return {
    ...(memo !== undefined && { memo }),
    ...(changed.length > 0 && {
      settings: JSON.stringify(settings),
      renders: JSON.stringify(forge(placement, settings).renders),
    }),
  }
}
