// The Bird checks a bundle before anything changes: every setting must have the type that its service's descriptor asks for.
import type { ServiceDescriptor } from '@rookery/decoys/settings/descriptor.ts'
import type { BirdSettings } from '@rookery/decoys/session/session.ts'
import { valueProblem } from '@rookery/decoys/settings/setting-value.ts'

/** Undefined when every setting fits its descriptor; else a phrase about the first one that does not. */
export function settingsProblem(
  descriptors: readonly Pick<ServiceDescriptor, 'settings'>[],
  settings: BirdSettings,
): string | undefined {
  for (const descriptor of descriptors) {
    for (const [key, setting] of Object.entries(descriptor.settings)) {
      const value = settings[key]
      const problem = value === undefined ? undefined : valueProblem(setting, value)
      if (problem !== undefined) return `${key} ${problem}`
    }
  }
  return undefined
}
