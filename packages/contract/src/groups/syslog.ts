// Extension: collectors of syslog that take the alerts of a Flock.
import Type from 'typebox'
import { flag, flock_id, oneOf, secret, text, withDefault } from '../fields.ts'
import { group, Nothing, post } from '../operation.ts'
import { Attention } from '../records/attention.ts'
import { Syslog, SYSLOG_FORMATS, SYSLOG_PROTOCOLS } from '../records/webhooks.ts'
import { changeFlock, readFlock, theDefault } from '../switches.ts'

const path = '/flock/settings/webhooks/syslog'

const pem = (description: string) =>
  Type.String({ description, maxLength: 32_768, contentMediaType: 'application/x-pem-file' })
const host = Type.String({ description: 'Domain name or IP address of the collector', maxLength: 253 })
const webhook_id = Type.String({ maxLength: 64 })
const Way = {
  port: Type.Optional(
    Type.Integer({
      description: 'Port of the collector; default 514, with tls 6514',
      minimum: 1,
      maximum: 65_535,
    }),
  ),
  protocol: withDefault(
    oneOf(SYSLOG_PROTOCOLS, {
      description: 'udp (RFC 5426), tcp (RFC 6587, length before each message) or tls (RFC 5425)',
    }),
    'tls',
  ),
  format: withDefault(
    oneOf(SYSLOG_FORMATS, {
      description:
        'What stands in a message: plain, a sentence and structured data; cef; leef, version 2.0; ecs or ocsf, JSON',
    }),
    'plain',
  ),
  ca: Type.Optional(pem('Certificate of the authority of the collector, as PEM, if it is your own')),
  client_cert: Type.Optional(pem('Certificate that the console shows the collector, as PEM')),
  client_key: Type.Optional(secret(pem('Key of client_cert, as PEM without a passphrase'))),
  tried_logins: withDefault(
    { ...flag, description: 'Whether passwords that intruders tried are sent' },
    false,
  ),
}

const example = { ...theDefault, host: 'logs.example.com', format: 'cef' }

export const syslog = group(
  'Syslog',
  'Collectors of syslog (RFC 5424) that take the alerts of a Flock: each alert is one message, and none is folded into a digest. Syslog has no acknowledgement: what a connection took within a minute before it broke is sent again, with the same message id.',
  {
    add: post(
      `${path}/add`,
      'admin',
      'flock',
      'Add a collector of syslog',
      { flock_id, host, ...Way, ...Attention },
      Type.Object({ webhook_id: text }),
      {
        settings: 'flock',
        example,
      },
    ),
    list: readFlock(
      `${path}/list`,
      'List the collectors of syslog',
      Type.Object({
        syslog: Type.Array(Syslog, { description: 'The collectors, by age' }),
      }),
    ),
    remove: changeFlock(
      `${path}/remove`,
      'Remove a collector of syslog',
      { flock_id, webhook_id },
      { webhook_id: '{syslog_id}' },
    ),
    test: post(
      `${path}/test`,
      'admin',
      'flock',
      'Send a test alert to a collector of syslog, before it is added or as it is',
      { flock_id, webhook_id: Type.Optional(webhook_id), host: Type.Optional(host), ...Way },
      Nothing,
      { example },
    ),
  },
)
