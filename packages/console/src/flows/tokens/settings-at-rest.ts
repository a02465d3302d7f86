// The settings of a token as its row holds them: JSON in which secrets are sealed.
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { Place, Vault } from '../../secrets/vault.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { addressOf } from './address.ts'
import { openIssued } from './issued-at-rest.ts'

type Settings = TokenDescriptor['settings']
type SealedRow = Pick<TokenRow, 'token_id' | 'kind' | 'settings'>

const settingsOfKind = (kind: string): Settings => kinds[kind]?.descriptor.settings ?? {}

const sealedIn = (settings: Settings): string[] =>
  Object.entries(settings).flatMap(([name, it]) => (it.type === 'text' && it.sealed ? [name] : []))

/** Whether a token of such settings may hold a secret. */
export const hasSecret = (settings: Settings): boolean => sealedIn(settings).length > 0

const placeOf = (tokenId: string, name: string): Place => ({
  table: 'token',
  column: `settings.${name}`,
  row: tokenId,
})

/** The text of the column. */
export const sealSettings = (
  vault: Pick<Vault, 'seal'>,
  tokenId: string,
  settings: TokenSettings,
  described: Settings,
): string =>
  JSON.stringify(mapSealed(settings, described, (name, text) => vault.seal(text, placeOf(tokenId, name))))

/** What was sealed; throws `unavailable` where a secret does not open. */
export function openSettings(
  vault: Pick<Vault, 'open'>,
  { token_id, kind, settings }: SealedRow,
  described = settingsOfKind(kind),
): TokenSettings {
  const stored = JSON.parse(settings) as TokenSettings
  return mapSealed(stored, described, (name, text) => vault.open(text, placeOf(token_id, name)))
}

function mapSealed(
  settings: TokenSettings,
  described: Settings,
  change: (name: string, text: string) => string,
): TokenSettings {
  const sealed = sealedIn(described).filter((name) => typeof settings[name] === 'string')
  if (sealed.length === 0) return settings
  return {
    ...settings,
    ...Object.fromEntries(sealed.map((name) => [name, change(name, String(settings[name]))])),
  }
}

/** The text of the column `renders`; empty where a secret is among what it is made of, for a text to plant may hold it. */
export const rendersColumn = (
  renders: Readonly<Record<string, string>>,
  described: Settings,
  issued = '',
): string => (hasSecret(described) || issued !== '' ? '' : JSON.stringify(renders))

/** The texts to plant, as JSON: the column, or made anew of the settings where it is empty. */
export function rendersOf(vault: Pick<Vault, 'open'>, row: TokenRow): string {
  const kind = kinds[row.kind]
  if (row.renders !== '' || !kind) return row.renders || '{}'
  return JSON.stringify(kind.renders(addressOf(row), openSettings(vault, row), openIssued(vault, row)))
}
