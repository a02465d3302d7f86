// Messages are stored as they came: a message that was sent again must not be stored before the one that it repeats.
import { createSocket } from 'node:dgram'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openResponder } from '@rookery/tokens/channels/wireguard/initiation.ts'
import { sealInitiation } from '@rookery/tokens/channels/wireguard/seal-initiation.ts'
import { openBackground } from '../../background/background.ts'
import { hostPort } from '../../addresses/host-port.ts'
import { systemClock, systemRandom } from '../../world/system.ts'
import { openWireguardServer } from './server.ts'

it('messages of a client are stored in the order in which they came, however long its token is looked up', async () => {
  const responder = openResponder(systemRandom.bytes(32))
  const lookUps: PromiseWithResolvers<string>[] = []
  const stored: unknown[] = []
  let received = 0
  const server = await openWireguardServer(
    {
      background: openBackground(systemClock),
      world: { clock: systemClock },
      log: pino({ enabled: false }),
      touches: {
        submit({ visit }) {
          stored.push('sessionIndex' in visit && visit.sessionIndex)
          return Promise.resolve({ kind: 'vpn', settings: {} })
        },
      },
      responder,
      tokenOf() {
        const lookUp = Promise.withResolvers<string>()
        lookUps.push(lookUp)
        return lookUp.promise
      },
      onRequest: () => void received++,
      advertisedPort: undefined,
    },
    '127.0.0.1:0',
  )
  onTestFinished(server.stop)
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  const own = systemRandom.bytes(32)
  const { host, port } = hostPort(server.address)
  for (const sessionIndex of [1, 2, 3]) {
    const keys = { own, responder: responder.publicKey, ephemeral: systemRandom.bytes(32) }
    socket.send(sealInitiation({ ...keys, sessionIndex, sentAt: systemClock.now() }), port, host)
    await expect.poll(() => received).toBe(sessionIndex)
  }
  // The database answers in another order.
  for (const lookUp of lookUps.toReversed()) {
    lookUp.resolve('token')
    await lookUp.promise
  }
  await expect.poll(() => stored).toEqual([1, 2, 3])
})
