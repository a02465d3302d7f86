// The Bird's own look at its settings, before anything changes: the types that the services' descriptors ask for.
import type { ServiceDescriptor } from '@rookery/decoys/descriptor.ts'
import type { BirdSettings } from '@rookery/decoys/session.ts'
import { expectation } from '@rookery/decoys/settings.ts'

/** `undefined` when every setting that is there has the form its descriptor asks for; else the first that has not, in words. */
export function settingsProblem(
  descriptors: readonly Pick<ServiceDescriptor, 'settings'>[],
  settings: BirdSettings,
): string | undefined {
  for (const descriptor of descriptors) {
    for (const [key, setting] of Object.entries(descriptor.settings)) {
      const value = settings[key]
      const expected = value === undefined ? undefined : expectation(setting, value)
      if (expected) return `${key} must be ${expected}, not ${JSON.stringify(value).slice(0, 60)}`
    }
  }
  return undefined
}
