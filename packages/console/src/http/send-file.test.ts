import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { FileAnswer } from '@rookery/contract/implement.ts'
import { fileSender } from './send-file.ts'

const MEBIBYTE = 1024 * 1024

/** Serves files of 20 MiB, of which two do not fit. */
async function serve(): Promise<{ port: number; hits: () => number }> {
  let hits = 0
  const sendFile = fileSender({ max: 30 * MEBIBYTE, hit: () => void hits++ })
  const server = fastify()
  server.get('/', (_request, reply) =>
    sendFile(reply, new FileAnswer('a b.docx', 'application/x', Buffer.alloc(20 * MEBIBYTE))),
  )
  server.setErrorHandler((error: Error, _request, reply) => reply.code(503).send(error.message))
  onTestFinished(() => server.close())
  await server.listen({ port: 0, host: '127.0.0.1' })
  return { port: (server.server.address() as AddressInfo).port, hits: () => hits }
}

it('files that slow readers have not taken are bounded, and count no more once they have left', async () => {
  const { port, hits } = await serve()
  const url = `http://127.0.0.1:${port}/`
  const slow = connect(port, '127.0.0.1')
  slow.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(slow, 'readable')
  const refused = await fetch(url)
  expect([refused.status, await refused.text()]).toEqual([
    503,
    'Too many files are being downloaded. Try again in 5 s.',
  ])
  expect(hits()).toBe(1)
  slow.destroy()
  await expect.poll(async () => (await fetch(url)).status).toBe(200)
})

it('a file has a name of safe characters, and comes whole, one after the other', async () => {
  const { port } = await serve()
  for (let n = 0; n < 3; n++) {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=a_b.docx')
    expect((await response.arrayBuffer()).byteLength).toBe(20 * MEBIBYTE)
  }
})
