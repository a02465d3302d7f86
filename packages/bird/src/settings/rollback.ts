// The fields of event 22001 (behaviour 7): the network settings that failed, and those that are back.
import { std } from '@rookery/kernel/time.ts'
import type { EventFields, EventValue } from '@rookery/kernel/touch.ts'
import type { Bundle } from './bundle.ts'
import type { Reverted } from './keeper.ts'

const NETWORK = ['dhcp.enabled', 'ip_address', 'netmask', 'gw', 'dns1', 'dns2', 'mac'].map(
  (key) => `device.${key}`,
)

export const rollbackFields = ({ erroneous, restored }: Reverted, atMs: number): EventFields => ({
  'Erroneous network settings': network(erroneous),
  'Restored network settings': network(restored),
  'Rollback time': std(atMs),
  User: '',
})

const network = ({ settings }: Bundle): EventValue =>
  Object.fromEntries(NETWORK.flatMap((key) => (key in settings ? [[key, settings[key] as EventValue]] : [])))
