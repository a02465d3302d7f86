// 4.17, the switch and the generic part; 4.18, webhooks/info: receivers of the alerts of a Flock.
import Type from 'typebox'
import { flag, flock_id, jsonObject, secret, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { Chatops, Siem } from '../records/webhooks.ts'

const url = secret(
  Type.String({
    description: 'http or https URL of the receiver, without credentials',
    maxLength: 2048,
  }),
  'but its host',
)
const Flock = { flock_id }
const One = { flock_id, url }

const settings = 'flock'
const example = { flock_id: 'flock:default' }
const one = { example: { flock_id: 'flock:default', url: 'https://alerts.example.com/rookery' } }

export const flockWebhooks = group(
  'Flock webhooks',
  'Receivers of the alerts of a Flock, and the switch for sending them.',
  {
    isEnabled: get(
      '/flock/settings/webhooks/is_enabled',
      'read-only',
      'Check whether alerts of a Flock are sent',
      Flock,
      Type.Object({ is_enabled: flag }),
      { example },
    ),
    isGlobal: get(
      '/flock/settings/webhooks/is_global',
      'read-only',
      'Check whether a Flock uses the switch of the console',
      Flock,
      Type.Object({ is_global: flag }),
      { example },
    ),
    disable: post(
      '/flock/settings/webhooks/disable',
      'admin',
      'Disable sending alerts of a Flock',
      Flock,
      Nothing,
      {
        settings,
        example,
      },
    ),
    enable: post(
      '/flock/settings/webhooks/enable',
      'admin',
      'Enable sending alerts of a Flock',
      Flock,
      Nothing,
      {
        settings,
        example,
      },
    ),
    useGlobal: post(
      '/flock/settings/webhooks/use_global',
      'admin',
      'Use the switch of the console for a Flock',
      Flock,
      Nothing,
      { settings, example },
    ),
    addGeneric: post(
      '/flock/settings/webhooks/generic/add',
      'admin',
      'Add a generic receiver',
      {
        ...One,
        headers: Type.Optional(secret(jsonObject)),
      },
      Type.Object({ webhook_id: text, secret: text }),
      {
        settings,
        example: {
          flock_id: 'flock:default',
          url: 'https://siem.example.org/hooks/decoys',
          headers: '{"X-Source":"rookery"}',
        },
      },
    ),
    generic: get(
      '/flock/settings/webhooks/generic',
      'read-only',
      'List the URLs of generic receivers',
      Flock,
      Type.Object({
        generic_webhooks: Type.Array(text, { description: 'The URLs' }),
        webhooks_enabled: flag,
      }),
      { deprecated: true, example },
    ),
    listGeneric: get(
      '/flock/settings/webhooks/generic/list',
      'read-only',
      'List generic receivers',
      Flock,
      Type.Object({
        generic_webhooks: Type.Array(
          Type.Object({
            header_names: Type.Array(text),
            url: Type.String({
              description: 'URL of the receiver; a key that is not of type admin sees only the host',
            }),
            webhook_id: text,
            disabled_reason: Type.Optional(text),
          }),
        ),
      }),
      { example },
    ),
    removeGeneric: post(
      '/flock/settings/webhooks/generic/remove',
      'admin',
      'Remove a generic receiver',
      One,
      Nothing,
      { settings, ...one },
    ),
    testGeneric: post(
      '/flock/settings/webhooks/generic/test',
      'admin',
      'Send a test alert to a URL',
      One,
      Type.Object({ webhook: text }),
      one,
    ),
    info: get(
      '/flock/settings/webhooks/info',
      'admin',
      'List the receivers of every kind',
      Flock,
      Type.Object({
        webhook_info: Type.Object({
          generic_webhooks: Type.Array(text, { description: 'URLs of generic receivers' }),
          legacychat_webhooks: Type.Array(text),
          teamchat: Type.Array(text),
          chatops_webhooks: Type.Array(Chatops),
          siem_webhook: Siem,
          webhooks_enabled: flag,
        }),
      }),
      { example },
    ),
  },
)
