// 4.8, and as extensions: what can be configured, the personalities, and what became of each change.
import Type from 'typebox'
import {
  commaList,
  count,
  flag,
  flock_id,
  jsonObject,
  node_id,
  oneOf,
  secret,
  text,
  withDefault,
} from '../fields.ts'
import { get, group, post } from '../operation.ts'

const bird = Type.Optional({ ...node_id, description: 'Only what this Bird knows' })
const version = Type.Optional(
  Type.String({ maxLength: 64, description: 'Only what a Bird of this version knows; node_id wins' }),
)
const bundle_tag = Type.String({ maxLength: 64, description: 'Id of a bundle' })
const personalityName = Type.String({ maxLength: 100, description: 'Name of a personality' })

const Setting = Type.Object({
  type: oneOf(['text', 'integer', 'boolean', 'list', 'object', 'tree'], { description: 'Form of the value' }),
  title: Type.String({ description: 'Its name for people' }),
  description: Type.String({
    description: 'What else is to be known, such as why it has no effect; may be empty',
  }),
  default: Type.Unknown({ description: 'The value of a new Bird, unless its personality has another' }),
  minimum: Type.Optional(Type.Integer({ description: 'Smallest number' })),
  maximum: Type.Optional(Type.Integer({ description: 'Largest number' })),
  max_length: Type.Optional(Type.Integer({ description: 'Most characters of a text' })),
  pattern: Type.Optional(
    Type.String({ description: 'What a text, or each text of an object, must match: ECMAScript, flag u' }),
  ),
  choices: Type.Optional(Type.Array(text, { description: 'The texts that it may have' })),
  since: Type.String({ description: 'The first Bird release that knows it' }),
  fixed: Type.Boolean({ description: 'Only the machine or an upload changes it' }),
  secret: Type.Boolean({ description: 'Its value is not shown where changes are reported' }),
  service: Type.String({ description: 'The service that it belongs to, or device' }),
  service_title: Type.String({ description: 'Name of that service for people; empty for the device' }),
})

const Personality = Type.Object({
  name: personalityName,
  title: Type.String({ description: 'Its name for people' }),
  description: Type.String({ description: 'What it shows' }),
  built_in: Type.Boolean({ description: 'Whether it comes with the console' }),
  services: Type.Array(text, { description: 'The services that it switches on' }),
  scan: Type.Array(
    Type.Object({
      service: Type.String({ description: 'One of the services' }),
      port: Type.Integer({ description: 'Its port under this personality' }),
      scan_line: Type.String({
        description:
          'What a port scan shows: port, state, service and version; empty where that is not known',
      }),
    }),
    { description: 'What a port scan shows of the services that have a port' },
  ),
})

const Bundle = Type.Object({
  tag: bundle_tag,
  node_id,
  type: Type.String({ description: 'What it brings: settings, or update' }),
  state: oneOf(['waiting', 'started', 'applied', 'failed', 'rolled back'], {
    description: 'What became of it',
  }),
  bundle_size: { ...count, description: 'Its bytes' },
  bytes_copied: { ...count, description: 'How many of them the Bird has fetched' },
  reason: Type.String({
    description: 'Why it failed or was rolled back; of an applied one, which decoys do not listen',
  }),
  name: Type.String({ description: 'What it is called: its type and the name of its Bird' }),
  settings_key: Type.String({
    description:
      'The settings that it brings: `current_settings` of the Bird once they are applied; empty for an update',
  }),
  checksum: Type.String({
    description:
      'SHA-256 of the JSON text that the Bird fetches, hex; empty for updates, and bundles of older releases',
  }),
  created: text,
  created_time: Type.String({ description: 'When it was made, epoch seconds' }),
  started_time: Type.String({ description: 'When the Bird began to fetch it, epoch seconds; empty before' }),
  ended_time: Type.String({
    description: 'When it was applied, failed or was rolled back, epoch seconds; empty before',
  }),
  updated_time: text,
})

const msg = Type.String({ description: 'What happens next, in a sentence' })

export const configuration = group(
  'Configuration of Birds',
  'Change the settings of Birds, give them a personality, and follow what becomes of each change.',
  {
    schema: get(
      '/settings/schema',
      'any',
      'everybody',
      'Read every setting of a Bird: its form, default and meaning',
      { node_id: bird, version },
      Type.Object({ schema: Type.Record(text, Setting, { description: 'Full key to its setting' }) }),
      { example: { node_id: '{node_id}' } },
    ),
    configure: post(
      '/device/configure',
      'admin',
      'flock',
      'Give a Bird other settings; an offline one gets them when it reconnects',
      {
        node_id,
        settings: secret({
          ...jsonObject,
          description:
            'The whole settings object, or with merge a part of it, at most 1 MiB of JSON; fixed keys may be absent, and keys that older consoles do not have: they stay as they are',
        }),
        merge: withDefault(
          { ...flag, description: 'Extension: keys that are absent keep their values' },
          false,
        ),
        check_only: withDefault(
          { ...flag, description: 'Extension: only checks the settings; nothing is stored or sent' },
          false,
        ),
        custom_personality_name: Type.Optional({
          ...personalityName,
          description: 'Saves the settings as a personality of this name, in place of a saved one',
        }),
      },
      Type.Object({
        bundle_tag: { ...bundle_tag, description: 'Id of the bundle; empty with check_only' },
        custom_personality_name: Type.String({
          description: 'The name under which the settings are saved; empty for none',
        }),
        msg,
      }),
      {
        settings: 'device',
        example: { node_id: '{node_id}', settings: '{settings}', custom_personality_name: 'Back office' },
      },
    ),
    configureMany: post(
      '/devices/configure',
      'admin',
      'flock',
      'Change a part of the settings of up to 1,000 Birds or of a Flock: of all, or of none',
      {
        node_ids: Type.Optional({ ...commaList, description: 'Ids of the Birds, separated by commas' }),
        flock_id: Type.Optional({
          ...flock_id,
          description: 'All Birds of this Flock, unless node_ids is given',
        }),
        settings: secret({
          ...jsonObject,
          description:
            'The settings to change, at most 1 MiB of JSON; none that belongs to one Bird alone, such as its name or address',
        }),
      },
      Type.Object({
        bundle_tags: Type.Record(text, bundle_tag, { description: 'Id of a Bird to its bundle' }),
        msg,
      }),
      {
        settings: 'device',
        example: { node_ids: '{node_id}', settings: '{"ssh.port":2222}' },
      },
    ),
    personality: post(
      '/device/configure_personality',
      'admin',
      'flock',
      'Give a Bird a personality; its name, network and other settings of its own stay',
      {
        node_id,
        personality: personalityName,
        additional_settings: Type.Optional(
          secret({ ...jsonObject, description: 'Settings besides those of the personality, by full key' }),
        ),
      },
      Type.Object({ bundle_tag, msg }),
      {
        settings: 'device',
        example: {
          node_id: '{node_id}',
          personality: 'web-server',
          additional_settings: '{"http.port":8080}',
        },
      },
    ),
    personalities: get(
      '/personalities/list',
      'read-only',
      'everybody',
      'List the personalities that a Bird can have',
      { node_id: bird, version },
      Type.Object({ personalities: Type.Array(Personality, { description: 'Built-in ones first' }) }),
      { example: { node_id: '{node_id}' } },
    ),
    bundles: get(
      '/bundles/list',
      'read-only',
      'flock',
      'List the newest 100 bundles of a Bird, the newest first',
      { node_id },
      Type.Object({ bundles: Type.Array(Bundle, { description: 'Newest first' }) }),
      { example: { node_id: '{node_id}' } },
    ),
    bundle: get(
      '/bundle/info',
      'read-only',
      'flock',
      'Read what became of a bundle',
      { bundle_tag },
      Type.Object({ bundle: { ...Bundle, description: 'What was sent to a Bird' } }),
      { example: { bundle_tag: '{bundle_tag}' } },
    ),
  },
)
