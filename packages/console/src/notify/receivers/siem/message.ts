// A message as an event of the collector (HEC): the payload, and the fields that the collector indexes besides.
import type { Message } from '../../message/message.ts'
import { alertPayload } from '../../message/payload.ts'

export const collectorEvent = (message: Message, messageId: string): object => ({
  time: message.at / 1000,
  ...(message.consoleUrl !== '' && { host: new URL(message.consoleUrl).hostname }),
  source: 'rookery',
  sourcetype: 'rookery:incident',
  // A message may come twice: its id is the same.
  event: { ...alertPayload(message), MessageID: messageId },
})
