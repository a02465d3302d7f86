// 4.19, and as extensions: which updates people do not want, and whether Birds are updated by themselves.
import Type from 'typebox'
import { flock_id, flockOrDefault, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { consoleSwitch } from '../switches.ts'

const update_tag = Type.String({ maxLength: 64, description: 'Tag of an update: 32 hex digits' })

const Update = Type.Object({
  description: { ...text, description: 'What is new in it' },
  filename: Type.String({ description: 'Name of its archive' }),
  ignore: Type.Boolean({ description: 'Whether people do not want it: no Bird gets it' }),
  supported_versions: Type.Array(Type.String(), {
    description: 'Oldest installed version that it updates, as >=3.0.0',
  }),
  tag: update_tag,
  target_sensors: Type.Array(Type.String(), {
    description: 'Kinds of sensors that it fits, such as linux-x64',
  }),
  version: Type.String({ description: 'Version of the Bird’s software in it' }),
})

const automatic = consoleSwitch('/settings/automatic_updates')

export const updates = group(
  'Updates',
  'Signed releases of the Bird’s software, which `rookery release add` brings to the console.',
  {
    list: get(
      '/updates/list',
      'read-only',
      'console',
      'List the updates, oldest first',
      {},
      Type.Object({ updates: Type.Array(Update, { description: 'Releases, each with its tag' }) }),
    ),
    fetch: get(
      '/update/fetch',
      'admin',
      'console',
      'Download the archive of an update',
      { update_tag },
      Nothing,
      { answers: 'file', example: { update_tag: '{update_tag}' } },
    ),
    updatable: get(
      '/update/updatable_birds',
      'read-only',
      'flock',
      'List the Birds that the newest update fits',
      { flock_id: Type.Optional(flock_id) },
      Type.Object({
        automatic_updates_enabled: Type.Boolean({
          description: 'Whether Birds are updated without a person',
        }),
        updatable_devices: Type.Union([Type.Array(Type.String()), Type.Null()], {
          description: 'Their ids, without those that are being updated; null when there is none',
        }),
      }),
    ),
    updating: get(
      '/update/updating_devices',
      'read-only',
      'flock',
      'List the Birds of a Flock whose software is being updated',
      { flock_id: flockOrDefault },
      Type.Object({ updating_devices: Type.Array(Type.String(), { description: 'Their ids' }) }),
    ),
    ignore: post(
      '/update/ignore',
      'admin',
      'console',
      'Extension: give an update to no Bird',
      { update_tag },
      Nothing,
      { settings: 'console', example: { update_tag: '{update_tag}' } },
    ),
    enableAutomatic: automatic.enable('Extension: update Birds without a person, a few first'),
    disableAutomatic: automatic.disable('Extension: update Birds only by device/update'),
    resume: post(
      '/update/resume',
      'admin',
      'console',
      'Extension: let the automatic update go on after a Bird failed',
      {},
      Nothing,
      { settings: 'console' },
    ),
    unignore: post(
      '/update/unignore',
      'admin',
      'console',
      'Extension: give an update to Birds again',
      { update_tag },
      Nothing,
      { settings: 'console', example: { update_tag: '{update_tag}' } },
    ),
  },
)
