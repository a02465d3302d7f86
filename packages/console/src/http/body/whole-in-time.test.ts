import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { fastify } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { wholeInTime } from './whole-in-time.ts'

it('a body that is not whole after a minute ends its connection, one of an upload does not', async () => {
  const clock = manualClock()
  const late: unknown[] = []
  const server = fastify({
    clientErrorHandler: (error, socket) => {
      late.push(error.code)
      socket.destroy()
    },
  })
  onTestFinished(() => server.close())
  wholeInTime(server, clock)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _body, done) => done(null))
  const arrived: string[] = []
  server.route({
    method: 'POST',
    url: '*',
    handler: ({ url, raw }) => (arrived.push(url), once(raw, 'end')),
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const begin = (path: string): Socket => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket
      .on('error', () => undefined)
      .write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf`)
    return socket
  }
  const [call, upload] = [begin('/api/v1/ping'), begin('/upload/1')]
  await expect.poll(() => arrived.length).toBe(2)
  clock.advance(59_999)
  expect(late).toEqual([])
  clock.advance(1)
  expect(late).toEqual(['ERR_HTTP_REQUEST_TIMEOUT'])
  await once(call, 'close')
  expect(upload.destroyed).toBe(false)
})
