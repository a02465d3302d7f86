// Extension: the console's switches of change alerts, for Flocks that use them.
import { group } from '../operation.ts'
import { consoleSwitch } from '../switches.ts'

const flock = consoleSwitch('/settings/change_control/flock_settings')
const device = consoleSwitch('/settings/change_control/device_settings')

export const consoleChangeAlerts = group(
  'Console change alerts',
  'Whether changed settings raise incidents in Flocks that use the switches of the console. A change of the settings of the console itself always does (23001).',
  {
    disableFlock: flock.disable('Disable incidents for changed settings of Flocks'),
    enableFlock: flock.enable('Enable incidents for changed settings of Flocks'),
    disableDevice: device.disable('Disable incidents for changed settings of Birds'),
    enableDevice: device.enable('Enable incidents for changed settings of Birds'),
  },
)
