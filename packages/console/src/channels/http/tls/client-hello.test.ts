import { connect as connectTls } from 'node:tls'
import { connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../../../test/listen.ts'
import { awaitHello, readHello } from './client-hello.ts'

const serve = (onConnection: (socket: Socket) => void): Promise<number> =>
  listen(createServer({ allowHalfOpen: true }, onConnection))

/** What Node's own client says first. */
const clientHello = (): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    serve((socket) =>
      socket.once('data', (bytes) => {
        socket.destroy()
        resolve(bytes)
      }),
    ).then((port) => void connectTls({ port, host: '127.0.0.1' }).on('error', () => undefined), reject)
  })

const helloState = (bytes: Buffer) => readHello(bytes).state

const record = (fragment: Buffer): Buffer => {
  const header = Buffer.from([22, 3, 1, 0, 0])
  header.writeUInt16BE(fragment.length, 3)
  return Buffer.concat([header, fragment])
}

it('a hello is whole with its last byte, in however many records it comes', async () => {
  const hello = await clientHello()
  for (let length = 1; length < hello.length; length++)
    expect(helloState(hello.subarray(0, length))).toBe('incomplete')
  const message = hello.subarray(5)
  expect(readHello(hello)).toEqual({ state: 'whole', message })
  const pieces = Buffer.concat([
    record(message.subarray(0, 3)),
    record(message.subarray(3, 90)),
    record(message.subarray(90)),
  ])
  expect(helloState(pieces.subarray(0, -1))).toBe('incomplete')
  expect(readHello(pieces)).toEqual({ state: 'whole', message })
})

it('what is no hello is left to OpenSSL, and one of more than 16 KiB is too long', () => {
  for (const text of [
    'GET / HTTP/1.1',
    '\x16\x03\x01\0\x04\x02\0\0\0',
    '\x16\x03\x01\0\0',
    '\x80\x2e\x01\x03\x01',
  ])
    expect(readHello(Buffer.from(text, 'latin1'))).toEqual({ state: 'whole' })
  expect(helloState(record(Buffer.from([1, 0, 0x40, 0])))).toBe('too long')
  expect(helloState(record(Buffer.from([1, 0xff, 0xff, 0xff])))).toBe('too long')
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void helloState(Buffer.from(bytes))))
})

it('a client that ends before its hello is closed; one that has sent it keeps its bytes', async () => {
  const hello = await clientHello()
  const kept = new Promise<Buffer>((resolve, reject) => {
    serve((socket) => awaitHello(socket, () => socket.once('data', resolve).resume())).then((port) => {
      const client = connect(port, '127.0.0.1', () =>
        client.write(hello.subarray(0, 40), () => void client.write(hello.subarray(40))),
      )
      onTestFinished(() => void client.destroy())
    }, reject)
  })
  expect(await kept).toEqual(hello)
  const port = await serve((socket) => awaitHello(socket, () => undefined))
  const closed = new Promise<void>((resolve) => {
    const client = connect(port, '127.0.0.1', () => client.end(hello.subarray(0, 40)))
    client.resume().once('close', () => resolve())
  })
  await closed
})
