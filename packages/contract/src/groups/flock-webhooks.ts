// 4.17, the switch and the generic part; 4.18, webhooks/info: receivers of the alerts of a Flock.
import Type from 'typebox'
import { flag, flock_id, jsonObject, oneOf, secret, text, withDefault } from '../fields.ts'
import { get, group, post } from '../operation.ts'
import { Attention, AttentionFields } from '../records/attention.ts'
import {
  Chatops,
  Elastic,
  Jira,
  Matrix,
  Mqtt,
  Pagerduty,
  Sentinel,
  Servicenow,
  Siem,
  Syslog,
  Telegram,
} from '../records/webhooks.ts'
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

const FORMATS = [
  'auto',
  'rookery',
  'slack',
  'discord',
  'google-chat',
  'mattermost',
  'rocket-chat',
  'teams',
  'ntfy',
  'template',
] as const
/** How a generic receiver reads alerts. */
const InFormat = {
  format: withDefault(
    oneOf(FORMATS, {
      description:
        'Extension: form of the messages. auto: that of the chat service that the URL is of, or template if one is given, else rookery, the signed JSON',
    }),
    'auto',
  ),
  template: Type.Optional(
    secret(
      Type.String({
        description:
          'Extension: JSON with places such as {{Description}}, {{SourceIP}}, named as the fields of the signed JSON; sent in the format template',
        maxLength: 16_384,
      }),
    ),
  ),
  tried_logins: withDefault(
    {
      ...flag,
      description:
        'Extension: whether passwords that intruders tried stand in the messages of a chat; the signed JSON and templates have them always',
    },
    false,
  ),
}

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
      'flock',
      'Add a generic receiver',
      {
        ...One,
        headers: Type.Optional(secret(jsonObject)),
        ...InFormat,
        ...Attention,
      },
      Type.Object({ webhook_id: text, secret: text }),
      {
        settings: 'flock',
        stepUp: true,
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
      'flock',
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
            format: Type.String({ description: 'Extension: form of its messages, never auto' }),
            tried_logins: Type.Boolean({
              description: 'Extension: whether passwords that intruders tried are sent',
            }),
            ...AttentionFields,
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
      'flock',
      'Send a test alert to a URL',
      { ...One, headers: Type.Optional(secret(jsonObject)), ...InFormat },
      Type.Object({ webhook: text }),
      { example: one },
    ),
    info: get(
      '/flock/settings/webhooks/info',
      'admin',
      'flock',
      'List the receivers of every kind',
      Flock,
      Type.Object({
        webhook_info: Type.Object({
          generic_webhooks: Type.Array(text, { description: 'URLs of generic receivers' }),
          legacychat_webhooks: Type.Array(text),
          teamchat: Type.Array(text),
          chatops_webhooks: Type.Array(Chatops),
          siem_webhook: Siem,
          syslog: Type.Array(Syslog, { description: 'Extension: collectors of syslog' }),
          elastic: Type.Array(Elastic, { description: 'Extension: data streams of Elasticsearch' }),
          pagerduty: Type.Array(Pagerduty, { description: 'Extension: services of PagerDuty' }),
          telegram: Type.Array(Telegram, { description: 'Extension: chats of Telegram' }),
          matrix: Type.Array(Matrix, { description: 'Extension: rooms of Matrix' }),
          mqtt: Type.Array(Mqtt, { description: 'Extension: brokers of MQTT' }),
          jira: Type.Array(Jira, { description: 'Extension: projects of Jira' }),
          sentinel: Type.Array(Sentinel, { description: 'Extension: workspaces of Microsoft Sentinel' }),
          servicenow: Type.Array(Servicenow, { description: 'Extension: instances of ServiceNow' }),
          webhooks_enabled: flag,
        }),
      }),
      { stepUp: true, example: theDefault },
    ),
  },
)
