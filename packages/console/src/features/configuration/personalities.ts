// Personalities, built-in and saved, and the settings that each gives a Bird.
import type { ServiceDescriptor } from '@rookery/decoys/settings/descriptor.ts'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { builtInPersonalities, personalitySettings } from '@rookery/decoys/settings/personalities.ts'
import { portKeysOf } from '@rookery/decoys/settings/instances.ts'
import { isKnownTo, serviceOf } from '@rookery/decoys/settings/settings.ts'
import type { Query } from '../../db/query.ts'
import {
  changeableSettings,
  FIXED,
  SETTINGS,
  settingsOf,
  wholeSettings,
  type Settings,
} from '../../stores/birds/settings.ts'
import type { BirdRow } from '../../stores/birds/store.ts'
import { findSavedPersonality, listSavedPersonalities } from '../../stores/personalities/store.ts'

export interface Personality {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly built_in: boolean
  readonly services: string[]
  readonly scan: { readonly service: string; readonly port: number; readonly scan_line: string }[]
}

/** Those that a Bird of this version can have: built-in ones first, then saved ones by name. */
export async function listPersonalities(db: Query, version: string): Promise<Personality[]> {
  const existing = descriptors.filter((descriptor: { since?: string }) => isKnownTo(version, descriptor))
  const saved = await listSavedPersonalities(db)
  return [
    ...builtInPersonalities(existing).map((personality) => ({
      name: personality.name,
      title: personality.title,
      description: personality.description,
      built_in: true,
      services: [...personality.services],
      scan: scanOf(personality.services, personalitySettings(personality), personality.scanLines),
    })),
    ...saved.map(({ name, settings: text, saved_by }) => {
      const settings = JSON.parse(text) as Settings
      const services = descriptors
        .map(({ service }) => service)
        .filter((service) => settings[`${service}.enabled`] === true)
      const description = `Saved by key ${saved_by}.`
      return { name, title: name, description, built_in: false, services, scan: scanOf(services, settings) }
    }),
  ]
}

/** The ports of these services, and the scan line of each: `lines` has it, or it is that of the first instance by itself. */
const scanOf = (
  services: readonly string[],
  settings: Settings,
  lines: Readonly<Record<string, string>> = {},
): Personality['scan'] =>
  descriptors.flatMap((descriptor: ServiceDescriptor) => {
    const { service, scanLine = '' } = descriptor
    const [key] = services.includes(service) ? portKeysOf(descriptor) : []
    if (key === undefined) return []
    const port = Number(settings[key] ?? SETTINGS[key]?.default)
    return [{ service, port, scan_line: (lines[service] ?? scanLine).replace('{port}', String(port)) }]
  })

export const personalityNames = async (db: Query): Promise<ReadonlySet<string>> =>
  new Set((await listPersonalities(db, '')).map(({ name }) => name))

/** What a personality sets; undefined when there is none of that name. */
export async function findPersonality(db: Query, name: string): Promise<Settings | undefined> {
  const builtIn = builtInPersonalities(descriptors).find((personality) => personality.name === name)
  if (builtIn) return personalitySettings(builtIn)
  const saved = await findSavedPersonality(db, name)
  return saved && (JSON.parse(saved.settings) as Settings)
}

/** The settings that a Bird has under a personality: services as it says, the rest as the Bird has it. */
export function withPersonality(
  bird: Pick<BirdRow, 'version' | 'settings'>,
  name: string,
  personality: Settings,
): Settings {
  const own = Object.entries(settingsOf(bird)).filter(
    ([key]) => FIXED.has(key) || serviceOf(descriptors, key) === 'device' || SETTINGS[key]?.ofOneBird,
  )
  // An older Bird need not know a key that stays at its default.
  const demanded = Object.entries(personality).filter(([key, value]) => {
    const setting = SETTINGS[key]
    if (setting === undefined || setting.ofOneBird) return false
    return isKnownTo(bird.version, setting) || JSON.stringify(setting.default) !== JSON.stringify(value)
  })
  return {
    ...wholeSettings(bird.version, Object.fromEntries(own)),
    ...Object.fromEntries(demanded),
    'device.personality': name,
  }
}

/** The part of a Bird's settings that a personality carries to another Bird. */
export const portableSettings = (settings: Settings): Settings =>
  Object.fromEntries(
    Object.entries(changeableSettings(settings)).filter(
      ([key]) => !key.startsWith('device.') && !SETTINGS[key]?.ofOneBird,
    ),
  )
