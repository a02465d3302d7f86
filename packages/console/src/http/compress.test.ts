import { once } from 'node:events'
import { get, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyReply } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ADMIN, sharedTestConsole } from '../../test/test-console.ts'
import { compressionOf, compressAnswers, letCompress } from './compress.ts'
import { sendJsonStream } from './text-stream.ts'

interface Raw {
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

/** The bytes as they lie on the wire: `fetch` would undo the compression. */
async function ask(url: string, coding: string | undefined, method = 'GET'): Promise<Raw> {
  const headers = { 'X-Auth-Token': ADMIN, ...(coding !== undefined && { 'Accept-Encoding': coding }) }
  const sent = request(url, { method, headers, agent: false }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { headers: answer.headers, bytes: Buffer.concat((await answer.toArray()) as Buffer[]) }
}

describe('answers of the console', () => {
  const rookery = sharedTestConsole({ parts: ['api'] })
  const at = (path: string) => `${rookery.console.apiUrl}${path}`

  it.each(['/api/v1/settings/schema', '/docs', '/api/v1/openapi.json', '/docs/page.js'])(
    '%s comes smaller by br and by gzip, and is the same',
    async (path) => {
      const plain = await ask(at(path), undefined)
      expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding'])
      for (const [asked, coding, undo] of [
        ['gzip, deflate, br', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['gzip', 'gzip', gunzipSync],
      ] as const) {
        const { headers, bytes } = await ask(at(path), asked)
        expect(headers).toMatchObject({
          'content-encoding': coding,
          'content-length': String(bytes.length),
          'content-type': plain.headers['content-type'],
          vary: 'Accept-Encoding',
        })
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
        expect(undo(bytes).equals(plain.bytes)).toBe(true)
      }
    },
  )

  it('HEAD says the length of the answer as it is', async () => {
    const { headers, bytes } = await ask(at('/docs'), 'br', 'HEAD')
    const plain = await ask(at('/docs'), undefined)
    expect([headers['content-encoding'], headers['content-length'], bytes.length]).toEqual([
      undefined,
      String(plain.bytes.length),
      0,
    ])
  })

  it('what shows secrets, what a key in the query would stand in, downloads and short answers come as they are', async () => {
    for (let n = 0; n < 20; n++)
      await rookery.api.apiKeys.add({ note: `key ${n}`, auth_token_type: 'read-only' })
    for (const path of [
      '/api/v1/auth_token/list',
      `/api/v1/settings/schema?auth_token=${ADMIN}`,
      '/api/v1/auth_token/download',
      '/api/v1/ping',
    ]) {
      const { headers } = await ask(at(path), 'gzip, br')
      expect([path, headers['content-encoding']]).toEqual([path, undefined])
    }
  })
})

/** Serves one answer. */
async function serve(answer: (request: unknown, reply: FastifyReply) => unknown): Promise<string> {
  const server = fastify()
  compressAnswers(server)
  server.get('/', answer)
  onTestFinished(() => server.close())
  await server.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`
}

describe('a list that is made while it leaves', () => {
  const LINE = `${JSON.stringify({ name: 'a Bird', note: 'by the window' })}\n`.repeat(4_000)

  it('is compressed chunk by chunk, and whole', async () => {
    async function* chunks() {
      for (let n = 0; n < 20; n++) yield await Promise.resolve(LINE)
    }
    const url = await serve((_, reply) => sendJsonStream(letCompress(reply), chunks()))
    const { headers, bytes } = await ask(url, 'br')
    expect([headers['content-encoding'], headers['transfer-encoding']]).toEqual(['br', 'chunked'])
    expect(brotliDecompressSync(bytes).toString()).toBe(LINE.repeat(20))
  })

  it('is made no further once its reader has left', async () => {
    const ended = Promise.withResolvers<string>()
    async function* chunks() {
      try {
        for (;;) yield await Promise.resolve(LINE)
      } finally {
        ended.resolve('ended')
      }
    }
    const url = await serve((_, reply) => sendJsonStream(letCompress(reply), chunks()))
    const sent = get(url, { headers: { 'Accept-Encoding': 'gzip' }, agent: false })
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    await once(answer, 'data')
    answer.destroy()
    expect(await ended.promise).toBe('ended')
  })

  it('of events, which nobody marked, leaves event by event', async () => {
    const events = new Readable({ read: () => undefined })
    const url = await serve((_, reply) => reply.type('text/event-stream').send(events))
    const sent = get(url, { headers: { 'Accept-Encoding': 'br, gzip' }, agent: false })
    events.push('data: 1\n\n')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      if (text.includes('2')) events.push(text)
      expect(String((await once(answer, 'data'))[0])).toBe(text)
    }
    expect(answer.headers['content-encoding']).toBe(undefined)
    sent.destroy()
  })
})

it.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['br;q=0, gzip;q=0', undefined],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.2, gzip;q=0.8', 'gzip'],
  ['br ; q=0', undefined],
  ['x-gzip', 'gzip'],
  ['gzip;q=wrong', undefined],
])('a client that asks for %s gets %s', (asked, coding) => {
  expect(compressionOf(asked)).toBe(coding)
})
