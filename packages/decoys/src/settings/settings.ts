// A Bird's whole settings object (specification 2.8): its keys by release, its defaults, and its validation.
import type { ServiceDescriptor, SettingDescriptor } from './descriptor.ts'
import { deviceSettings } from './device.ts'
import { instancesOf, transportsOf } from './instances.ts'
import type { BirdSettings } from '../session/session.ts'
import { valueProblem } from './setting-value.ts'

export type WithSettings = Pick<ServiceDescriptor, 'settings' | 'since'>
type WithPorts = WithSettings &
  Pick<ServiceDescriptor, 'service' | 'transport' | 'isOnBoth' | 'instances' | 'portsBesides'>

/** Every setting of the device and of these services, by full key in alphabetical order. */
export function settingDescriptors(
  services: readonly WithSettings[],
): Readonly<Record<string, SettingDescriptor>> {
  const all = [
    ...Object.entries(deviceSettings),
    ...services.flatMap(({ settings, since }) =>
      Object.entries(settings).map(([key, setting]): [string, SettingDescriptor] => [
        key,
        { ...(since !== undefined && { since }), ...setting },
      ]),
    ),
  ]
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Which of these services the key belongs to; `device` when to none. */
export const serviceOf = (
  services: readonly Pick<ServiceDescriptor, 'service' | 'settings'>[],
  key: string,
): string => services.find(({ settings }) => Object.hasOwn(settings, key))?.service ?? 'device'

/** Whether a Bird of this version has what came `since`; one whose version is not known is taken for the newest. */
export function isKnownTo(version: string, { since }: Pick<SettingDescriptor, 'since'>): boolean {
  const [own, first] = [numbersOf(version), numbersOf(since ?? '')]
  if (!own || !first) return true
  const at = own.findIndex((number, index) => number !== first[index])
  return at === -1 || own[at]! > first[at]!
}

const numbersOf = (version: string): readonly number[] | undefined =>
  /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})/.exec(version)?.slice(1).map(Number)

export interface SettingsCheck {
  /** The release of the Bird: keys of a later one are refused, and may be missing. */
  readonly version?: string
  /** Keys that may be missing. */
  readonly optional?: ReadonlySet<string>
}

/**
 * What is wrong with a settings object, by key: unknown and missing keys, values of the wrong form, keys of a later
 * release than the Bird's, two enabled services with one port. Empty when it can be applied.
 */
export function checkSettings(
  services: readonly WithPorts[],
  settings: BirdSettings,
  { version = '', optional = new Set() }: SettingsCheck = {},
): Record<string, string> {
  const known = settingDescriptors(services)
  const reasons: [string, string][] = []
  for (const key of Object.keys(settings))
    if (!Object.hasOwn(known, key)) reasons.push([key, 'is no setting'])
  for (const [key, setting] of Object.entries(known)) {
    const isKnown = isKnownTo(version, setting)
    if (!Object.hasOwn(settings, key)) {
      if (isKnown && !optional.has(key)) reasons.push([key, 'is missing'])
      continue
    }
    const problem = isKnown
      ? valueProblem(setting, settings[key])
      : `needs Bird ${setting.since}; this one is ${version}`
    if (problem !== undefined) reasons.push([key, problem])
  }
  // fromEntries keeps a key such as `__proto__` as a key.
  return Object.fromEntries([...portClashes(services, settings), ...reasons])
}

/** Of what is switched on: the ports of instances by each transport of their service, and those besides. */
function portClashes(services: readonly WithPorts[], settings: BirdSettings): [string, string][] {
  const owners = new Map<string, string[]>()
  const claim = (transport: string, port: unknown, owner: string): void => {
    const name = `${transport}:${String(port)}`
    owners.set(name, [...(owners.get(name) ?? []), owner])
  }
  for (const descriptor of services) {
    const switched = `${descriptor.service}.enabled`
    if (settings[switched] !== true) continue
    for (const besides of descriptor.portsBesides ?? []) claim(besides.transport, besides.port, switched)
    for (const name of instancesOf(descriptor)) {
      const key = `${name}.port`
      if (settings[`${name}.enabled`] !== true || !Object.hasOwn(descriptor.settings, key)) continue
      for (const transport of transportsOf(descriptor)) claim(transport, settings[key], key)
    }
  }
  return [...owners].flatMap(([name, keys]) =>
    keys.length < 2
      ? []
      : keys.map((key): [string, string] => {
          const others = keys.filter((other) => other !== key).join(', ')
          return [
            key,
            `port ${name.replace(/^\w+:/, '')} is also taken by ${others}; give each a port of its own`,
          ]
        }),
  )
}
