// Personalities, built-in and saved, and the settings that each gives a Bird.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { builtInPersonalities, personalitySettings } from '@rookery/decoys/personalities.ts'
import { isKnownTo, serviceOf } from '@rookery/decoys/settings.ts'
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
}

/** Those that a Bird of this version can have: built-in ones first, then saved ones by name. */
export async function listPersonalities(db: Query, version: string): Promise<Personality[]> {
  const existing = descriptors.filter((descriptor: { since?: string }) => isKnownTo(version, descriptor))
  const saved = await listSavedPersonalities(db)
  return [
    ...builtInPersonalities(existing).map(({ name, title, description, services }) => ({
      name,
      title,
      description,
      built_in: true,
      services: [...services],
    })),
    ...saved.map(({ name, settings, saved_by }) => ({
      name,
      title: name,
      description: `Saved by key ${saved_by}.`,
      built_in: false,
      services: descriptors
        .map(({ service }) => service)
        .filter((service) => (JSON.parse(settings) as Settings)[`${service}.enabled`] === true),
    })),
  ]
}

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
