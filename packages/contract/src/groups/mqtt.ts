// Extension: brokers of MQTT that take the alerts and the states of a Flock.
import Type from 'typebox'
import { secret, withDefault } from '../fields.ts'
import { group } from '../operation.ts'
import { Mqtt } from '../records/webhooks.ts'
import { receiversById } from '../receivers-by-id.ts'

export const mqtt = group(
  'MQTT',
  'Brokers of MQTT 3.1.1 that take the alerts of a Flock as messages, and keep the states of the Flock and its Birds retained: Home Assistant finds both by itself.',
  receiversById({
    kind: 'mqtt',
    one: 'a broker of MQTT',
    many: 'the brokers of MQTT',
    params: {
      url: Type.String({
        description:
          'Address of the broker: mqtts:// (over TLS) or mqtt://, a host, and a port unless it is 8883 or 1883',
        maxLength: 2048,
      }),
      user: withDefault(
        Type.String({
          description:
            'User, who may publish below the prefix and below homeassistant/; empty for a broker that asks for none',
          maxLength: 256,
        }),
        '',
      ),
      password: Type.Optional(secret(Type.String({ description: 'Password of the user', maxLength: 512 }))),
      prefix: withDefault(
        Type.String({
          description:
            'How topics begin: <prefix>/status, <prefix>/bird/<id>, <prefix>/flock/<id> and <prefix>/flock/<id>/alert',
          minLength: 1,
          maxLength: 128,
        }),
        'rookery',
      ),
    },
    answer: Type.Object({ mqtt: Type.Array(Mqtt, { description: 'The brokers, by age' }) }),
    example: {
      url: 'mqtts://broker.example.com',
      user: 'rookery',
      password: 'correct horse battery staple',
    },
  }),
)
