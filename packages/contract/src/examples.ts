// Placeholders in examples, for ids that differ from console to console.
import type { Example } from './operation.ts'

/**
 * An example writes `{name}` for something that must exist before the call. The reference and the OpenAPI document show
 * how such an id `looks`. The test that runs every example creates one of each, and fills in its id.
 */
export const STAND_INS = {
  node_id: { is: 'a registered Bird', looks: '3f1c9a5e7b2d4860' },
  connected_node_id: { is: 'a Bird that is connected', looks: '3f1c9a5e7b2d4860' },
  pending_node_id: { is: 'a pending Bird', looks: '9b04e6d21fa87c35' },
  settings: {
    is: 'the whole settings object of that Bird, as JSON',
    looks: '{"device.name":"nas-02","ftp.banner":"(vsFTPd 3.0.3)","ftp.enabled":true}',
  },
  bundle_tag: { is: 'a bundle of a Bird', looks: '0c2f7b91d6e84a53be1f90a7c3d52e68' },
  flock_id: { is: 'a Flock without Birds or tokens', looks: 'flock:5d0c1e8ba2974f36a1e0b7c49d823f65' },
  incident: {
    is: 'an unacknowledged incident',
    looks: 'incident:sshlogin:8a4be07d36c1f92b5d7e4031:192.0.2.7:1795253942',
  },
  acknowledged_incident: {
    is: 'an acknowledged incident',
    looks: 'incident:httplogin:41d9f6a2c80b7e35ef1a9d60:192.0.2.9:1795253377',
  },
  batch_id: { is: 'a bulk action', looks: 'e61c0f7a93b84d25a1f8c07d5b36e942' },
  ticket_code: { is: 'the code of a link', looks: '3657a2ad326bf4474ece9a2089da9105' },
  totp_code: { is: 'the code that the authenticator app shows', looks: '492039' },
  new_totp_code: { is: 'the first code of the new authenticator app', looks: '751204' },
  recovery_code: { is: 'a recovery code', looks: '7k2m-x0vb-n6tq-5yd1-mzrk-3ce7' },
  passkey_assertion: {
    is: 'what the browser answers with a passkey',
    looks: '{"id":"0Jx2p0vbn6tq5yd1","response":{"signature":"MEUCIQDk"}}',
  },
  passkey_attestation: {
    is: 'what the browser answers when it made a passkey',
    looks: '{"id":"0Jx2p0vbn6tq5yd1","response":{"attestationObject":"o2NmbXRk"}}',
  },
  passkey_id: { is: 'a passkey of the person', looks: '0Jx2p0vbn6tq5yd1' },
  key_id: { is: 'an API key', looks: '7c1e90ab' },
  factory_auth: { is: 'the key of a token factory', looks: '5b7e0f93a1c846d2be4f7a60c8d1935e' },
  email: { is: 'a user', looks: 'ann@example.com' },
  admin_email: { is: 'an admin whose password is kestrel over the harbour', looks: 'ann@example.com' },
  flock_user_email: { is: 'a user with a role in the default Flock', looks: 'ann@example.com' },
  new_email: { is: 'an e-mail address that no user has', looks: 'bea@example.com' },
  decoytoken: { is: 'a token', looks: '8hx2p0vbn6tq5yd1mzrk3ce7w' },
  site_token: {
    is: 'a token that has a list of ignored sites',
    looks: 'v7c2k9xw0qm4zj6tn1rb5yd3h',
  },
  provider_token: {
    is: 'a token that takes assertions of an identity provider',
    looks: 'm3w8q1zt6v0yk5xj9c2nd4rb7',
  },
  file_token: { is: 'a token whose kind has a file', looks: 'q4x7m0ztv9c1kd83wne5hry2b' },
  delivery_id: { is: 'a delivery that was delivered or failed', looks: '184' },
  enrolment_id: { is: 'an enrolment code', looks: 'b21c7e04' },
  updatable_node_id: { is: 'a Bird that was installed by its package', looks: '3f1c9a5e7b2d4860' },
  update_tag: { is: 'an update', looks: '4fd0a1c7e95b2386d40c7ae18b3f6259' },
  image_version: { is: 'a release whose images the console has', looks: '3.0.0' },
  webhook_id: { is: 'a generic receiver', looks: '5e0c9d7a41b2f386' },
  syslog_id: { is: 'a collector of syslog', looks: 'c40d8e1f6b27a935' },
  pagerduty_id: { is: 'a service of PagerDuty', looks: '91b7d3f05ac8e642' },
  sentinel_id: { is: 'a workspace of Microsoft Sentinel', looks: '7d10c94ea2f5836b' },
  mqtt_id: { is: 'a broker of MQTT', looks: '4c8e07b1d96f25a3' },
  elastic_id: { is: 'a data stream of Elasticsearch', looks: '2e8f4b60d1a97c35' },
  telegram_id: { is: 'a chat of Telegram', looks: '7a1c93e05db84f26' },
  matrix_id: { is: 'a room of Matrix', looks: 'd5f20b86c9e3714a' },
  jira_id: { is: 'a project of Jira', looks: '60f9a3d71c5be824' },
  servicenow_id: { is: 'an instance of ServiceNow', looks: 'b8e14d07f3926ac5' },
} as const

export type StandIn = keyof typeof STAND_INS

const BRACES = /\{(\w+)\}/g
const isStandIn = (name: string): name is StandIn => name in STAND_INS

/** What must exist before the example is called. */
export const standInsOf = (example: Example): readonly StandIn[] =>
  Object.values(example)
    .flatMap((value) => Array.from(String(value).matchAll(BRACES), ([, name = '']) => name))
    .filter(isStandIn)

/** The parameters of an example with every `{name}` replaced: by the value given, else by how it looks. */
export function fillExample(
  example: Example,
  values: Readonly<Partial<Record<StandIn, string>>> = {},
): Example {
  const fill = (text: string): string =>
    text.replace(BRACES, (braces, name: string) =>
      isStandIn(name) ? (values[name] ?? STAND_INS[name].looks) : braces,
    )
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, typeof value === 'string' ? fill(value) : value]),
  )
}
