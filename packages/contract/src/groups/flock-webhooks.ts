// 4.17, the switch and the generic part; 4.18, webhooks/info: receivers of the alerts of a Flock.
import Type from 'typebox'
import { flag, flock_id, jsonObject, secret, text } from '../fields.ts'
import { get, group, post } from '../operation.ts'
import { Chatops, Siem } from '../records/webhooks.ts'
import { changeFlock, flockSwitch, readFlock, theDefault } from '../switches.ts'

const url = secret(
  Type.String({
    description: 'http or https URL of the receiver, without credentials',
    maxLength: 2048,
  }),
  'but its host',
)
const Flock = { flock_id }
const One = { flock_id, url }

const one = { ...theDefault, url: 'https://alerts.example.com/rookery' }
const webhooks = flockSwitch('/flock/settings/webhooks')

export const flockWebhooks = group(
  'Flock webhooks',
  'Receivers of the alerts of a Flock, and the switch for sending them.',
  {
    isEnabled: webhooks.isEnabled('Check whether alerts of a Flock are sent'),
    isGlobal: webhooks.isGlobal('Check whether a Flock uses the switch of the console'),
    disable: webhooks.disable('Disable sending alerts of a Flock'),
    enable: webhooks.enable('Enable sending alerts of a Flock'),
    useGlobal: webhooks.useGlobal('Use the switch of the console for a Flock'),
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
        settings: 'flock',
        example: {
          ...theDefault,
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
      { deprecated: true, example: theDefault },
    ),
    listGeneric: readFlock(
      '/flock/settings/webhooks/generic/list',
      'List generic receivers',
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
    ),
    removeGeneric: changeFlock(
      '/flock/settings/webhooks/generic/remove',
      'Remove a generic receiver',
      One,
      one,
    ),
    testGeneric: post(
      '/flock/settings/webhooks/generic/test',
      'admin',
      'Send a test alert to a URL',
      One,
      Type.Object({ webhook: text }),
      { example: one },
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
      { example: theDefault },
    ),
  },
)
