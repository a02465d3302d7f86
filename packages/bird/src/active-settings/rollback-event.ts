// The fields of event 22001 (behaviour of the API, section 7): the network settings that failed, and those in force again.
import { std } from '@rookery/kernel/time.ts'
import type { EventFields, EventValue } from '@rookery/kernel/touch.ts'
import type { Bundle } from './bundle.ts'
import type { Rollback } from './step.ts'

const NETWORK_KEYS = ['dhcp.enabled', 'ip_address', 'netmask', 'gw', 'dns1', 'dns2', 'mac'].map(
  (key) => `device.${key}`,
)

export const rollbackFields = ({ failed, restored }: Rollback, atMs: number): EventFields => ({
  'Erroneous network settings': networkSettings(failed),
  'Restored network settings': networkSettings(restored),
  'Rollback time': std(atMs),
  User: '',
})

const networkSettings = ({ settings }: Bundle): EventValue =>
  Object.fromEntries(
    NETWORK_KEYS.flatMap((key) => (key in settings ? [[key, settings[key] as EventValue]] : [])),
  )
