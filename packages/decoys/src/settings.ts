// A Bird's whole settings object (specification 2.8): its defaults, and its validation.
import type { ServiceDescriptor, SettingDescriptor } from './descriptor.ts'
import { deviceSettings } from './device.ts'
import type { BirdSettings } from './session.ts'

/** Every setting of the device and of these services, by full key in alphabetical order. */
export function settingDescriptors(
  services: readonly Pick<ServiceDescriptor, 'settings'>[],
): Readonly<Record<string, SettingDescriptor>> {
  const all = Object.assign({}, deviceSettings, ...services.map(({ settings }) => settings)) as Record<
    string,
    SettingDescriptor
  >
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The whole object: every value at its default, except those given. */
export function defaultSettings(
  services: readonly Pick<ServiceDescriptor, 'settings'>[],
  given: BirdSettings = {},
): BirdSettings {
  const defaults = Object.entries(settingDescriptors(services)).map(([key, setting]) => [
    key,
    setting.default,
  ])
  return { ...(Object.fromEntries(defaults) as BirdSettings), ...given }
}

/**
 * What is wrong with a settings object, by key: unknown and missing keys, values of the wrong form, two enabled services
 * with one port. Empty when it can be applied. Keys in `optional` may be missing.
 */
export function checkSettings(
  services: readonly Pick<ServiceDescriptor, 'service' | 'transport' | 'settings'>[],
  settings: BirdSettings,
  optional: readonly string[] = [],
): Record<string, string> {
  const known = settingDescriptors(services)
  const reasons: [string, string][] = []
  for (const key of Object.keys(settings))
    if (!Object.hasOwn(known, key)) reasons.push([key, 'is no setting'])
  for (const [key, setting] of Object.entries(known)) {
    if (!Object.hasOwn(settings, key)) {
      if (!optional.includes(key)) reasons.push([key, 'is missing'])
      continue
    }
    const expected = expectation(setting, settings[key])
    if (expected) reasons.push([key, `must be ${expected}, not ${preview(settings[key])}`])
  }
  // fromEntries keeps a key such as `__proto__` as a key.
  return Object.fromEntries([...reasons, ...portClashes(services, settings)])
}

/** A value for an error message. */
const preview = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** What the value must be, in words; `undefined` when it is right. */
export function expectation(setting: SettingDescriptor, value: unknown): string | undefined {
  const { type, choices = [], maxLength = Infinity } = setting
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'port':
      return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535
        ? undefined
        : 'a number from 1 to 65535'
    case 'choice':
      return typeof value === 'string' && choices.includes(value) ? undefined : `one of ${choices.join(', ')}`
    case 'text':
      if (typeof value !== 'string') return 'a text'
      return value.length <= maxLength ? undefined : `a text of at most ${maxLength} characters`
    case 'json':
      return shapeExpectation(setting.shape, value)
  }
}

function shapeExpectation(shape: SettingDescriptor['shape'], value: unknown): string | undefined {
  if (shape === 'texts') {
    return isObject(value) && Object.values(value).every((each) => typeof each === 'string')
      ? undefined
      : 'an object of texts by name'
  }
  if (shape === 'objects')
    return Array.isArray(value) && value.every(isObject) ? undefined : 'a list of objects'
  return value === undefined ? 'a JSON value' : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `<name>.enabled` belongs to `<name>.port`, in numbered instances such as `tcpbanner_3` too. */
function portClashes(
  services: readonly Pick<ServiceDescriptor, 'service' | 'transport' | 'settings'>[],
  settings: BirdSettings,
): [string, string][] {
  const owners = new Map<string, string>()
  const found: [string, string][] = []
  for (const { service, transport, settings: own } of services) {
    if (settings[`${service}.enabled`] === false) continue
    for (const [key, { type }] of Object.entries(own)) {
      if (type !== 'port' || settings[key.replace(/\.port$/, '.enabled')] !== true) continue
      const port = `${transport}:${String(settings[key])}`
      const owner = owners.get(port)
      if (owner) found.push([key, `port ${String(settings[key])} is already taken by ${owner}`])
      else owners.set(port, key)
    }
  }
  return found
}
