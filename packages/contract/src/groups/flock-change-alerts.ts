// 4.9: whether changed settings of a Flock, and of its Birds, raise incidents.
import Type from 'typebox'
import { flag, flock_id } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

const example = { flock_id: 'flock:default' }
const at = (whose: string, verb: string): string => `/flock/settings/change_control/${whose}_settings/${verb}`

const write = (whose: string, verb: string, title: string) =>
  post(at(whose, verb), 'admin', title, { flock_id }, Nothing, { settings: 'flock', example })
const enabled = (whose: string, title: string) =>
  get(at(whose, 'is_enabled'), 'read-only', title, { flock_id }, Type.Object({ is_enabled: flag }), {
    example,
  })
const global = (whose: string, title: string) =>
  get(at(whose, 'is_global'), 'read-only', title, { flock_id }, Type.Object({ is_global: flag }), { example })

const Mode = Type.String({ description: 'Global (the switch of the console applies), Enabled or Disabled' })

export const flockChangeAlerts = group(
  'Flock change alerts',
  'Whether changed settings of a Flock (23003) and of its Birds (23002) raise incidents.',
  {
    disableFlock: write('flock', 'disable', 'Disable incidents for changed settings of a Flock'),
    enableFlock: write('flock', 'enable', 'Enable incidents for changed settings of a Flock'),
    isEnabledFlock: enabled('flock', 'Check whether changed settings of a Flock raise an incident'),
    isGlobalFlock: global('flock', 'Check whether a Flock uses the switch of the console for its settings'),
    useGlobalFlock: write('flock', 'use_global', 'Use the switch of the console for the settings of a Flock'),
    disableDevice: write(
      'device',
      'disable',
      'Disable incidents for changed settings of the Birds of a Flock',
    ),
    enableDevice: write('device', 'enable', 'Enable incidents for changed settings of the Birds of a Flock'),
    isEnabledDevice: enabled(
      'device',
      'Check whether changed settings of the Birds of a Flock raise an incident',
    ),
    isGlobalDevice: global('device', 'Check whether a Flock uses the switch of the console for its Birds'),
    useGlobalDevice: write('device', 'use_global', 'Use the switch of the console for the Birds of a Flock'),
    info: get(
      '/flock/settings/change_control/info',
      'read-only',
      'Read both switches of a Flock',
      { flock_id },
      Type.Object({
        change_control: Type.Object({
          device_settings_notifications: Mode,
          flock_settings_notifications: Mode,
        }),
      }),
      { example },
    ),
  },
)
