// Extension: the console's switches of change alerts, for Flocks that use them.
import { group, Nothing, post } from '../operation.ts'

const write = (whose: string, verb: string, title: string) =>
  post(`/settings/change_control/${whose}_settings/${verb}`, 'admin', title, {}, Nothing, {
    settings: 'console',
  })

export const consoleChangeAlerts = group(
  'Console change alerts',
  'Whether changed settings raise incidents in Flocks that use the switches of the console. A change of the settings of the console itself always does (23001).',
  {
    disableFlock: write('flock', 'disable', 'Disable incidents for changed settings of Flocks'),
    enableFlock: write('flock', 'enable', 'Enable incidents for changed settings of Flocks'),
    disableDevice: write('device', 'disable', 'Disable incidents for changed settings of Birds'),
    enableDevice: write('device', 'enable', 'Enable incidents for changed settings of Birds'),
  },
)
