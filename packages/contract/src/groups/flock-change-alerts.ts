// 4.9: whether changed settings of a Flock, and of its Birds, raise incidents.
import Type from 'typebox'
import { group } from '../operation.ts'
import { flockSwitch, readFlock } from '../switches.ts'

const flock = flockSwitch('/flock/settings/change_control/flock_settings')
const device = flockSwitch('/flock/settings/change_control/device_settings')

const Mode = Type.String({ description: 'Global (the switch of the console applies), Enabled or Disabled' })

export const flockChangeAlerts = group(
  'Flock change alerts',
  'Whether changed settings of a Flock (23003) and of its Birds (23002) raise incidents.',
  {
    disableFlock: flock.disable('Disable incidents for changed settings of a Flock'),
    enableFlock: flock.enable('Enable incidents for changed settings of a Flock'),
    isEnabledFlock: flock.isEnabled('Check whether changed settings of a Flock raise an incident'),
    isGlobalFlock: flock.isGlobal('Check whether a Flock uses the switch of the console for its settings'),
    useGlobalFlock: flock.useGlobal('Use the switch of the console for the settings of a Flock'),
    disableDevice: device.disable('Disable incidents for changed settings of the Birds of a Flock'),
    enableDevice: device.enable('Enable incidents for changed settings of the Birds of a Flock'),
    isEnabledDevice: device.isEnabled(
      'Check whether changed settings of the Birds of a Flock raise an incident',
    ),
    isGlobalDevice: device.isGlobal('Check whether a Flock uses the switch of the console for its Birds'),
    useGlobalDevice: device.useGlobal('Use the switch of the console for the Birds of a Flock'),
    info: readFlock(
      '/flock/settings/change_control/info',
      'Read both switches of a Flock',
      Type.Object({
        change_control: Type.Object({
          device_settings_notifications: Mode,
          flock_settings_notifications: Mode,
        }),
      }),
    ),
  },
)
