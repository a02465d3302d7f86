// The settings object of a Bird (specification 2.8), and the bundle that brings a new one to it.
import { hash } from 'node:crypto'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { isKnownTo, settingDescriptors } from '@rookery/decoys/settings/settings.ts'
import { newSettingsTag, newTag } from '@rookery/kernel/ids.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { BundleRow } from '../bundles/store.ts'
import type { BirdRow } from './store.ts'

export type Settings = Readonly<Record<string, unknown>>

/** Every setting of this release. */
export const SETTINGS = settingDescriptors(descriptors)

/** What is seen in the place of settings that are empty, by their key. */
export const settingsNotes = (settings: Settings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([key, { whenEmpty }]) =>
      whenEmpty !== undefined && ['""', '[]'].includes(JSON.stringify(settings[key]))
        ? [[key, whenEmpty]]
        : [],
    ),
  )

/** Keys that no request can change. */
export const FIXED: ReadonlySet<string> = new Set(
  Object.entries(SETTINGS).flatMap(([key, { fixed }]) => (fixed ? [key] : [])),
)

/** Keys that a settings object need not have: the fixed ones, and those that an older console does not know. */
export const OPTIONAL: ReadonlySet<string> = new Set(
  Object.entries(SETTINGS).flatMap(([key, { mayBeMissing }]) =>
    mayBeMissing || FIXED.has(key) ? [key] : [],
  ),
)

/** The settings without the fixed ones. */
export const changeableSettings = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !FIXED.has(key)))

/** Every setting that a Bird of this version knows: those given, and the defaults of the rest. */
export const wholeSettings = (version: string, given: Settings): Settings =>
  Object.fromEntries(
    Object.entries(SETTINGS)
      .filter(([, setting]) => isKnownTo(version, setting))
      .map(([key, setting]) => [key, Object.hasOwn(given, key) ? given[key] : setting.default]),
  )

/** The settings that the Bird shall have, also those that came with a later release of the console. */
export const settingsOf = ({ version, settings }: Pick<BirdRow, 'version' | 'settings'>): Settings =>
  wholeSettings(version, JSON.parse(settings) as Settings)

export interface SettingsBundle {
  readonly columns: Pick<
    BirdRow,
    'settings' | 'settings_tag' | 'settings_seq' | 'settings_failure' | 'name' | 'description' | 'ippers'
  >
  readonly row: BundleRow
}

/**
 * New settings of a Bird as columns of its row, and the bundle to add. Name, description and IP personality follow the settings.
 * `sent` are those that the Bird gets: with its secrets opened.
 */
export function settingsBundle(
  bird: Pick<BirdRow, 'node_id' | 'settings_seq'>,
  settings: Settings,
  { clock, random }: Pick<World, 'clock' | 'random'>,
  sent: Settings = settings,
): SettingsBundle {
  const now = clock.now()
  const text = JSON.stringify(settings)
  const sentText = JSON.stringify(sent)
  const settings_tag = newSettingsTag(random, now)
  const seq = bird.settings_seq + 1
  return {
    columns: {
      settings: text,
      settings_tag,
      settings_seq: seq,
      settings_failure: '',
      name: String(settings['device.name']).toWellFormed(),
      description: String(settings['device.desc']).toWellFormed(),
      ippers: String(settings['device.ippers']).toWellFormed(),
    },
    row: {
      bundle_tag: newTag(random),
      node_id: bird.node_id,
      type: 'settings',
      settings_tag,
      seq,
      state: 'waiting',
      size: Buffer.byteLength(sentText),
      checksum: hash('sha256', sentText),
      copied: 0,
      reason: '',
      started_at: null,
      ended_at: null,
      created_at: now,
      updated_at: now,
    },
  }
}
