// The Bird's own look at its settings, before anything changes: the types that the services' descriptors ask for.
import type { ServiceDescriptor, SettingDescriptor } from '@rookery/decoys/descriptor.ts'
import type { BirdSettings } from '@rookery/decoys/session.ts'

/** `undefined` when every setting that is there has the form its descriptor asks for; else the first that has not, in words. */
export function settingsProblem(
  descriptors: readonly Pick<ServiceDescriptor, 'settings'>[],
  settings: BirdSettings,
): string | undefined {
  for (const descriptor of descriptors) {
    for (const [key, setting] of Object.entries(descriptor.settings)) {
      const value = settings[key]
      const expected = value === undefined ? undefined : mismatch(setting, value)
      if (expected) return `${key} must be ${expected}, not ${JSON.stringify(value).slice(0, 60)}`
    }
  }
  return undefined
}

/** What the value should have been; `undefined` when it is right. */
function mismatch(
  { type, choices = [], maxLength = Infinity }: SettingDescriptor,
  value: unknown,
): string | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'port':
      return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535
        ? undefined
        : 'a number from 1 to 65535'
    case 'choice':
      return choices.includes(String(value)) ? undefined : `one of ${choices.join(', ')}`
    case 'text':
      return typeof value === 'string' && value.length <= maxLength
        ? undefined
        : `a text of at most ${maxLength} characters`
    case 'json':
      return undefined
  }
}
