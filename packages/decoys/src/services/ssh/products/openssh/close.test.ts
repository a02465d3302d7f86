// How sshd closes: it exits, so that the kernel answers what still comes with a reset.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unencrypted } from '../../protocol/cipher/protection.ts'
import { newDirection, writePacket } from '../../protocol/codec/packet.ts'
import { CLIENT_IDENT, clientKexInit, openClient, usualOffer } from '../../../../../lab/ssh/client.ts'
import { openDecoy } from '../../../../../lab/ssh/decoy.ts'

let decoy: Awaited<ReturnType<typeof openDecoy>>
beforeAll(async () => void (decoy = await openDecoy()))
afterAll(() => decoy.host.close())

const packet = (payload: Buffer): Buffer =>
  writePacket(payload, newDirection(unencrypted), Buffer.alloc).bytes
const ignore = packet(Buffer.from([2, 0, 0, 0, 0]))

/** Sends it behind the offers; then, once the server has sent a FIN, a packet more. */
async function ending(last: Buffer): Promise<string[]> {
  const socket = connect({ port: decoy.port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  const seen: string[] = []
  socket.on('error', ({ message }) => seen.push(/ECONNRESET|EPIPE/.exec(message)?.[0] ?? message))
  socket.on('end', () => {
    seen.push('FIN')
    socket.write(ignore)
    // The first packet is answered with a reset, which the second one meets.
    setImmediate(() => socket.end(ignore))
  })
  await once(socket, 'data')
  socket.write(`${CLIENT_IDENT}\r\n`)
  await once(socket, 'data')
  socket.write(last)
  socket.resume()
  await new Promise((resolve) => socket.on('close', resolve))
  return seen
}

test.each([
  ['a login in clear', packet(Buffer.from([50]))],
  ['a disconnect', packet(Buffer.from([1]))],
  ['a packet length beyond the limit', Buffer.alloc(100, 0xff)],
  ['offers without a common method', packet(clientKexInit({ ...usualOffer, kex: ['x'] }))],
  ['a login in clear, and what is read along with it', Buffer.concat([packet(Buffer.from([50])), ignore])],
])('after %s the client meets a FIN, and a reset when it goes on', async (_, last) => {
  const [first, second] = await ending(last)
  expect([first, second]).toEqual(['FIN', expect.stringMatching(/ECONNRESET|EPIPE/)])
})

test.each([
  ['a login in clear', packet(Buffer.from([50]))],
  ['a packet length beyond the limit', Buffer.alloc(16, 0xff)],
])('after %s, with more than it reads ahead, the client meets a reset', async (_, last) => {
  expect(await ending(Buffer.concat([last, Buffer.alloc(30_000)]))).toEqual(['ECONNRESET'])
})

test('a client under keys tells how the server ended the connection', async () => {
  const seen = async (length: number): Promise<string> => {
    const client = await openClient(decoy.port)
    await client.exchange()
    const damaged = client.pack(Buffer.from([2, 0, 0, 0, 0]))
    client.write(Buffer.concat([damaged.map((byte) => byte ^ 0xff), Buffer.alloc(length)]))
    await client.rest()
    client.destroy()
    return client.close()
  }
  expect([await seen(0), await seen(400_000)]).toEqual(['FIN', 'RST'])
})
