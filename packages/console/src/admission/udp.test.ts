import { createSocket } from 'node:dgram'
import { expect, it, onTestFinished } from 'vitest'
import { bindUdp, closeUdp, type Datagram } from './udp.ts'

it('a datagram whose source port is 0 is dropped, since nobody can be answered there', async () => {
  const received: Datagram[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = await bindUdp('127.0.0.1', 0, (datagram) => {
    received.push(datagram)
    resolve()
  })
  onTestFinished(() => closeUdp(socket))
  // No system lets a program without privileges send from port 0.
  socket.emit('message', Buffer.from('forged'), { address: '192.0.2.7', port: 0, family: 'IPv4', size: 6 })
  const client = createSocket('udp4')
  onTestFinished(() => closeUdp(client))
  client.send('genuine', socket.address().port, '127.0.0.1')
  await promise
  expect(received.map(({ bytes, srcHost }) => [bytes.toString(), srcHost])).toEqual([
    ['genuine', '127.0.0.1'],
  ])
})
