// Receivers of services (2.9): a channel of a chat service, an event collector.
import Type from 'typebox'
import { text } from '../fields.ts'

export const Chatops = Type.Object({
  channel: text,
  configuration_url: text,
  team: text,
  url: Type.String({ description: 'Webhook URL; a key that is not of type admin sees only the host' }),
})

/** Empty when the Flock has none. */
export const Siem = Type.Object({
  host: Type.Optional(Type.String({ description: 'Domain name or IP address' })),
  port: Type.Optional(text),
  token: Type.Optional(Type.String({ description: 'Token that the event collector requires' })),
})
