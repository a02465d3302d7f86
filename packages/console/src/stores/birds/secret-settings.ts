// Secret settings of a Bird: sealed in its row, masked in every answer, opened for the Bird alone.
import type { Place, Vault } from '../../secrets/vault.ts'
import { SETTINGS, type Settings } from './settings.ts'
import type { BirdRow } from './store.ts'

/** Shown in place of a secret; sent back, it leaves the secret as it is. */
export const MASK = '********'

const SECRETS = Object.entries(SETTINGS).flatMap(([key, { secret }]) => (secret ? [key] : []))

const placeOf = (nodeId: string, key: string): Place => ({
  table: 'bird',
  column: `settings.${key}`,
  row: nodeId,
})

/** The settings with every secret that is there replaced. */
function mapSecrets(settings: Settings, change: (key: string, value: string) => string): Settings {
  const held = SECRETS.filter((key) => typeof settings[key] === 'string' && settings[key] !== '')
  return held.length === 0
    ? settings
    : { ...settings, ...Object.fromEntries(held.map((key) => [key, change(key, String(settings[key]))])) }
}

export const maskSecrets = (settings: Settings): Settings => mapSecrets(settings, () => MASK)

/** What was sent, with the present secrets in the place of their masks. */
export const unmaskSecrets = (sent: Settings, present: Settings): Settings =>
  mapSecrets(sent, (key, value) => (value === MASK ? String(present[key] ?? '') : value))

export const openSecrets = (vault: Pick<Vault, 'open'>, nodeId: string, sealed: Settings): Settings =>
  mapSecrets(sealed, (key, value) => vault.open(value, placeOf(nodeId, key)))

/** Seals them; one that is as `present` (sealed) has it stays, so that it does not count as changed. */
export const sealSecrets = (
  vault: Pick<Vault, 'open' | 'seal'>,
  nodeId: string,
  settings: Settings,
  present: Settings = {},
): Settings => {
  const before = openSecrets(vault, nodeId, present)
  return mapSecrets(settings, (key, value) =>
    before[key] === value ? String(present[key]) : vault.seal(value, placeOf(nodeId, key)),
  )
}

/** The Bird's row with its secrets opened. */
export const withOpenSecrets = (vault: Pick<Vault, 'open'>, bird: BirdRow): BirdRow => {
  const sealed = JSON.parse(bird.settings || '{}') as Settings
  const opened = openSecrets(vault, bird.node_id, sealed)
  return opened === sealed ? bird : { ...bird, settings: JSON.stringify(opened) }
}
