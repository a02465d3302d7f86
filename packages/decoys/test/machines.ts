// Every product that the decoys can be: what guards go over.
import type { SettingDescriptor } from '../src/settings/descriptor.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import { switchesOf } from '../src/settings/instances.ts'
import type { BirdSettings } from '../src/session/session.ts'
import { machineSettings } from './first-contact.ts'

/** All instances of these services. */
export const allOn = (wanted: readonly Parameters<typeof switchesOf>[0][]): BirdSettings =>
  Object.fromEntries(wanted.flatMap(switchesOf).map((key) => [key, true]))

/** What a service is otherwise, because the machine is a device. */
const OF_DEVICES: readonly (readonly [service: string, changes: BirdSettings])[] = [
  ['telnet', { 'http.enabled': true, 'http.skin': 'router' }],
  ['tftp', { 'http.enabled': true, 'http.skin': 'router' }],
  ['snmp', { 'http.skin': 'router' }],
  ['snmp', { 'http.skin': 'printer' }],
  ['snmp', { 'modbus.enabled': true }],
  ['http', { 'modbus.enabled': true, 'http.skin': 'basic-auth' }],
]

/** Each service by itself: as it is at first, and with each choice that one of its settings offers. */
const byItself = descriptors.flatMap(({ service, settings, ...more }) => {
  const whose =
    'reportsFor' in more ? descriptors.find((other) => other.service === more.reportsFor) : undefined
  const choices = Object.entries<SettingDescriptor>({ ...settings, ...whose?.settings }).flatMap(
    ([key, setting]) =>
      setting.type === 'choice' ? (setting.choices ?? []).map((choice) => ({ [key]: choice })) : [],
  )
  return [{}, ...choices].map((changes: BirdSettings) => ({
    service,
    name: [service, ...Object.values(changes)].join(' '),
    settings: machineSettings({ ...allOn([{ service, ...more }]), ...changes }),
  }))
})

export const machines = [
  ...byItself,
  ...OF_DEVICES.map(([service, changes]) => ({
    service,
    name: `${service} of ${JSON.stringify(changes)}`,
    settings: machineSettings({ [`${service}.enabled`]: true, ...changes }),
  })),
]
