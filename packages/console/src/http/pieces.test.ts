import { afterEach, expect, test } from 'vitest'
import { fastify, type FastifyInstance } from 'fastify'
import { sendPieces } from './pieces.ts'

let server: FastifyInstance | undefined
afterEach(() => server?.close())

/** Answers with the pieces over a real socket. */
async function ask(pieces: () => AsyncGenerator<string>): Promise<Response> {
  server = fastify()
  server.get('/', (_request, reply) => sendPieces(reply, pieces()))
  return fetch(await server.listen({ host: '127.0.0.1', port: 0 }))
}

test('a list of one piece leaves whole, with its length in bytes', async () => {
  const answer = await ask(async function* () {
    yield await Promise.resolve('{"name":"Vögel 🐦"}\n')
  })
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength('{"name":"Vögel 🐦"}\n')))
  expect(await answer.json()).toEqual({ name: 'Vögel 🐦' })
})

test.each([2, 3, 40])('a list of %i pieces arrives in order', async (count) => {
  const answer = await ask(async function* () {
    for (let n = 0; n < count; n++) yield await Promise.resolve(`${n === 0 ? '[' : ','}${n}`)
    yield ']'
  })
  expect(answer.headers.get('content-length')).toBeNull()
  expect(await answer.json()).toEqual(Array.from({ length: count }, (_, n) => n))
})

test('the head of a long list leaves before its second piece is made', async () => {
  const second = Promise.withResolvers<string>()
  const answer = await ask(async function* () {
    yield `["${'x'.repeat(200_000)}"`
    yield await second.promise
  })
  expect(answer.status).toBe(200)
  second.resolve(',2]')
  expect(await answer.json()).toHaveLength(2)
})

test('a failure before the first piece is an answer, not a broken one', async () => {
  const answer = await ask(async function* () {
    await Promise.resolve()
    throw Object.assign(new Error('away'), { statusCode: 503 })
  })
  expect(answer.status).toBe(503)
})

test('a caller who goes away ends the work', async () => {
  const ended = Promise.withResolvers<void>()
  const answer = await ask(async function* () {
    try {
      for (;;) yield await Promise.resolve('x'.repeat(200_000))
    } finally {
      ended.resolve()
    }
  })
  await answer.body?.cancel()
  await ended.promise
})
