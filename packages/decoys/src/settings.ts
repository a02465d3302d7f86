// The settings object of a Bird (specification 2.8) as a whole: what it begins with, and what is wrong with one.
import type { ServiceDescriptor, SettingDescriptor } from './descriptor.ts'
import { deviceSettings } from './device.ts'
import type { BirdSettings } from './session.ts'

/** Every setting by its full key, in the order of the alphabet: the device's and those of these services. */
export function settingDescriptors(
  services: readonly Pick<ServiceDescriptor, 'settings'>[],
): Readonly<Record<string, SettingDescriptor>> {
  const all = Object.assign({}, deviceSettings, ...services.map(({ settings }) => settings)) as Record<
    string,
    SettingDescriptor
  >
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The whole object with every value at its default, but for those given. */
export function defaultSettings(
  services: readonly Pick<ServiceDescriptor, 'settings'>[],
  given: BirdSettings = {},
): BirdSettings {
  const standard = Object.entries(settingDescriptors(services)).map(([key, setting]) => [
    key,
    setting.default,
  ])
  return { ...(Object.fromEntries(standard) as BirdSettings), ...given }
}

/**
 * What is wrong with a settings object, by key: unknown and missing keys, values of the wrong form, and two services that
 * are on and want one port. Empty when it can be applied. Keys of `mayLack` need not be there.
 */
export function checkSettings(
  services: readonly Pick<ServiceDescriptor, 'service' | 'transport' | 'settings'>[],
  settings: BirdSettings,
  mayLack: readonly string[] = [],
): Record<string, string> {
  const known = settingDescriptors(services)
  const reasons: [string, string][] = []
  for (const key of Object.keys(settings))
    if (!Object.hasOwn(known, key)) reasons.push([key, 'is no setting'])
  for (const [key, setting] of Object.entries(known)) {
    if (!Object.hasOwn(settings, key)) {
      if (!mayLack.includes(key)) reasons.push([key, 'is missing'])
      continue
    }
    const expected = expectation(setting, settings[key])
    if (expected) reasons.push([key, `must be ${expected}, not ${shown(settings[key])}`])
  }
  // From entries: a key such as `__proto__` stays a key.
  return Object.fromEntries([...reasons, ...clashes(services, settings)])
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** What the value should have been, in words; `undefined` when it is right. */
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

/** `<name>.port` and `<name>.enabled` belong together, also of numbered instances such as `tcpbanner_3`. */
function clashes(
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
