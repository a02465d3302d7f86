// Receivers of services (2.9): a channel of a chat service, an event collector.
import Type from 'typebox'
import { oneOf, text } from '../fields.ts'
import { AttentionFields } from './attention.ts'

export const Chatops = Type.Object({
  channel: text,
  configuration_url: text,
  team: text,
  url: Type.String({ description: 'Webhook URL; a key that is not of type admin sees only the host' }),
  ...AttentionFields,
})

/** Empty when the Flock has none. */
export const Siem = Type.Object({
  host: Type.Optional(Type.String({ description: 'Domain name or IP address' })),
  port: Type.Optional(text),
  token: Type.Optional(Type.String({ description: 'Token that the event collector requires' })),
  ...AttentionFields,
})

export const SYSLOG_PROTOCOLS = ['udp', 'tcp', 'tls'] as const
export const SYSLOG_FORMATS = ['plain', 'cef', 'leef', 'ecs', 'ocsf'] as const

/** Extension: a collector of syslog. */
export const Syslog = Type.Object({
  webhook_id: text,
  host: Type.String({ description: 'Domain name or IP address of the collector' }),
  port: Type.Integer({ description: 'Port of the collector' }),
  protocol: oneOf(SYSLOG_PROTOCOLS, { description: 'How messages are sent' }),
  format: oneOf(SYSLOG_FORMATS, { description: 'What stands in a message' }),
  has_client_certificate: Type.Boolean({ description: 'Whether the console shows a certificate' }),
  tried_logins: Type.Boolean({ description: 'Whether passwords that intruders tried are sent' }),
  ...AttentionFields,
})

export const PAGERDUTY_REGIONS = ['us', 'eu'] as const

/** Extension: a service of PagerDuty. */
export const Pagerduty = Type.Object({
  webhook_id: text,
  region: oneOf(PAGERDUTY_REGIONS, { description: 'Service region of the account' }),
  ...AttentionFields,
})

/** Extension: a data stream of Elasticsearch. */
export const Elastic = Type.Object({
  webhook_id: text,
  url: Type.String({ description: 'Address of the cluster' }),
  data_stream: Type.String({ description: 'Name of the data stream' }),
  ...AttentionFields,
})

/** Extension: a workspace of Microsoft Sentinel. */
export const Sentinel = Type.Object({
  webhook_id: text,
  endpoint: Type.String({ description: 'Address of logs ingestion' }),
  rule_id: Type.String({ description: 'Immutable id of the data collection rule' }),
  stream: Type.String({ description: 'Stream of the rule' }),
  tenant: Type.String({ description: 'Id or domain of the tenant' }),
  client_id: Type.String({ description: 'Id of the application' }),
  ...AttentionFields,
})

/** Extension: a broker of MQTT. */
export const Mqtt = Type.Object({
  webhook_id: text,
  url: Type.String({ description: 'Address of the broker' }),
  user: Type.String({ description: 'Name of the user; empty for none' }),
  prefix: Type.String({ description: 'How its topics begin' }),
  ...AttentionFields,
})

/** Extension: a chat of Telegram. */
export const Telegram = Type.Object({
  webhook_id: text,
  chat: Type.String({ description: 'Chat that its bot writes into' }),
  ...AttentionFields,
})

/** Extension: a room of Matrix. */
export const Matrix = Type.Object({
  webhook_id: text,
  url: Type.String({ description: 'Address of the homeserver' }),
  room: Type.String({ description: 'Room that its account writes into' }),
  ...AttentionFields,
})

const closes = Type.Boolean({
  description: 'Whether acknowledging or deleting an incident closes its ticket',
})

/** Extension: a project of Jira. */
export const Jira = Type.Object({
  webhook_id: text,
  url: Type.String({ description: 'Address of the site' }),
  email: Type.String({ description: 'E-mail address of the account' }),
  project: Type.String({ description: 'Key of the project' }),
  issue_type: Type.String({ description: 'Name of the type of its issues' }),
  close_acknowledged: closes,
  ...AttentionFields,
})

/** Extension: an instance of ServiceNow. */
export const Servicenow = Type.Object({
  webhook_id: text,
  url: Type.String({ description: 'Address of the instance' }),
  user: Type.String({ description: 'Name of the account' }),
  close_acknowledged: closes,
  close_code: Type.String({ description: 'Resolution code of a record that is resolved' }),
  ...AttentionFields,
})
