// A Bird's whole settings object, for tests and tools.
import { settingDescriptors, type WithSettings } from '../src/settings/settings.ts'
import type { BirdSettings } from '../src/session/session.ts'

/** Every value at its default, except those given. */
export function defaultSettings(services: readonly WithSettings[], given: BirdSettings = {}): BirdSettings {
  const defaults = Object.entries(settingDescriptors(services)).map(([key, { default: value }]) => [
    key,
    value,
  ])
  return { ...(Object.fromEntries(defaults) as BirdSettings), ...given }
}
