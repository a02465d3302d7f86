import { afterEach, expect, test } from 'vitest'
import { fastify, type FastifyInstance } from 'fastify'
import { sendJsonStream, yieldingStream } from './text-stream.ts'

let server: FastifyInstance | undefined
afterEach(() => server?.close())

/** Answers with the chunks over a real socket. */
async function ask(chunks: () => AsyncGenerator<string>): Promise<Response> {
  server = fastify()
  server.get('/', (_request, reply) => sendJsonStream(reply, chunks()))
  return fetch(await server.listen({ host: '127.0.0.1', port: 0 }))
}

test('a list of one chunk leaves whole, with its length in bytes', async () => {
  const answer = await ask(async function* () {
    yield await Promise.resolve('{"name":"Vögel 🐦"}\n')
  })
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength('{"name":"Vögel 🐦"}\n')))
  expect(await answer.json()).toEqual({ name: 'Vögel 🐦' })
})

test.each([2, 3, 40])('a list of %i chunks arrives in order', async (count) => {
  const answer = await ask(async function* () {
    for (let n = 0; n < count; n++) yield await Promise.resolve(`${n === 0 ? '[' : ','}${n}`)
    yield ']'
  })
  expect(answer.headers.get('content-length')).toBeNull()
  expect(await answer.json()).toEqual(Array.from({ length: count }, (_, n) => n))
})

test('the head of a long list leaves before its second chunk is made', async () => {
  const second = Promise.withResolvers<string>()
  const answer = await ask(async function* () {
    yield `["${'x'.repeat(200_000)}"`
    yield await second.promise
  })
  expect(answer.status).toBe(200)
  second.resolve(',2]')
  expect(await answer.json()).toHaveLength(2)
})

test('a failure before the first chunk is answered with its status', async () => {
  const answer = await ask(async function* () {
    await Promise.resolve()
    throw Object.assign(new Error('no database'), { statusCode: 503 })
  })
  expect(answer.status).toBe(503)
})

test('a caller who disconnects ends the work', async () => {
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

test('other work runs while a long answer goes to a reader who is always ready', async () => {
  let isDone = false
  let turns = 0
  const others = (): void => {
    turns++
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  let text = ''
  for await (const chunk of yieldingStream(lines(200))) text += String(chunk)
  isDone = true
  expect(text.split('\n').length).toBe(201)
  expect(turns).toBeGreaterThan(150)
})

test('no more is made than the reader has taken', async () => {
  let made = 0
  const reader = yieldingStream(lines(200, () => made++))[Symbol.asyncIterator]()
  await reader.next()
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve))
  expect(made).toBeLessThan(5)
  await reader.return?.()
})

async function* lines(n: number, onMade?: () => void): AsyncGenerator<string> {
  for (let at = 0; at < n; at++) {
    onMade?.()
    yield await Promise.resolve(`${at}\n`)
  }
}

test('a call that was answered while its list was read is not answered again, and its reading ends', async () => {
  const logged: string[] = []
  const first = Promise.withResolvers<string>()
  const late = Promise.withResolvers<void>()
  let ended = 0
  server = fastify({ logger: { level: 'warn', stream: { write: (line: string) => logged.push(line) } } })
  server.get('/', (_request, reply) => {
    async function* pieces(): AsyncGenerator<string> {
      try {
        yield await first.promise
        yield ''
      } finally {
        ended++
      }
    }
    void sendJsonStream(reply, pieces()).then(() => late.resolve(), late.reject)
    return reply.code(503).send('given up')
  })
  const answer = await fetch(await server.listen({ host: '127.0.0.1', port: 0 }))
  expect(await answer.text()).toBe('given up')
  first.resolve('{}\n')
  await late.promise
  expect(ended).toBe(1)
  expect(logged).toEqual([])
})
