import { describe, expect, it } from 'vitest'
import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { HOSTILE } from '../../test/hostile.ts'
import { hostileMessages } from '../../test/hostile-messages.ts'
import { mqttEverywhere } from '../../test/mqtt-broker.ts'
import { readConfig } from '../config/config.ts'
import { systemClock, systemRandom } from '../world/system.ts'
import { receiverKinds } from './receivers.gen.ts'
import { openSender } from './send.ts'

describe('every sender', () => {
  it('sends one whole JSON text of each kind of message, and judges the answer', async () => {
    const sent: OutboundRequest[] = []
    const outbound = {
      send: (request: OutboundRequest) => {
        sent.push(request)
        // A bulk API says of each item how it went; an authority gives a token.
        const body =
          '{"errors":false,"items":[{"create":{"status":201}}],"access_token":"eyJ0","expires_in":3599}'
        return Promise.resolve({ status: 200, headers: {}, body })
      },
    }
    // Syslog goes over it as datagrams, which its kind judges; a broker takes the rest.
    const outboundStream = mqttEverywhere()
    const { send } = openSender({
      world: { clock: systemClock, random: systemRandom, outbound, outboundStream },
      timeoutMs: 100,
      config: readConfig({}),
    })
    const kinds = Object.values(receiverKinds)
      .filter(({ descriptor }) => descriptor.madeBy === 'operations')
      .map(({ descriptor }) => descriptor.kind)
    for (const text of HOSTILE) {
      for (const message of hostileMessages(text, 'https://rookery.example.com/')) {
        for (const kind of kinds) {
          const target = {
            kind,
            webhookId: 'a',
            url: 'https://x.test/_bulk',
            headers: {},
            secret: 'whsec_AAAA',
            settings: {},
          }
          expect(await send(target, message, 'msg_1')).toMatchObject({ delivered: true })
          const body = sent.pop()?.body ?? outboundStream.broker.published.at(-1)?.payload ?? '{}'
          // Of a bulk API each line is a JSON text, and the last one ends too.
          for (const text of body.endsWith('\n') ? body.slice(0, -1).split('\n') : [body]) {
            expect(text).not.toMatch(/[\n\r\u2028\u2029]/)
            expect(JSON.stringify(JSON.parse(text))).toBe(text)
            expect(text.isWellFormed()).toBe(true)
          }
        }
      }
    }
    expect(outboundStream.broker.malformed).toEqual([])
  })
})
