import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import Type from 'typebox'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { withMax } from '@rookery/kernel/limit.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { listen } from '../../../test/listen.ts'
import { openBodyBudget, type BodyBudget } from './budget.ts'
import { requestBody, type RequestBody } from './read.ts'
import { ALL_BODY_BYTES, KEY_BYTES, SHORT_BODY_BYTES, UNKNOWN_BODY_BYTES } from '../request-limits.ts'

const MEBIBYTE = 1024 * 1024
const operation = { params: Type.Object({ text: Type.String() }), maxBodyBytes: 32 * MEBIBYTE }
const KEY = 'k'.repeat(32)

/** A server that calls `work` with the body of each request, and answers with what it throws or resolves with. */
async function serve(budget: BodyBudget, work: (body: RequestBody) => Promise<unknown>): Promise<string> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = requestBody(request, operation, budget, '10.0.0.1')
    let text: unknown
    try {
      text = body ? await work(body) : 'no body'
    } catch (error) {
      text = error instanceof Fault ? error.code : error
    }
    response.end(String(text))
  }
  const server = createServer((request, response) => void answer(request, response))
  const port = await listen(server)
  onTestFinished(() => server.closeAllConnections())
  return `http://127.0.0.1:${port}`
}

/** Sends the pieces of a JSON body and, where it is not `endless`, ends it; resolves with the answer. */
function send(url: string, pieces: readonly string[], { endless = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' }
    const sent = httpRequest(url, { method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (more: string) => (text += more))
      response.on('end', () => {
        resolve(text)
        sent.destroy()
      })
    })
    sent.on('error', reject)
    for (const piece of pieces) sent.write(piece)
    if (!endless) sent.end()
  })
}

it('of a stranger’s endless body no more is kept than a key takes to find', async () => {
  const budget = openBodyBudget(manualClock())
  const used: number[] = []
  const url = await serve(budget, async (body) => {
    try {
      return await body.findKey('auth_token', false)
    } finally {
      used.push(budget.used())
    }
  })
  const mebibyte = 'x'.repeat(MEBIBYTE)
  const strangers = Array.from({ length: 60 }, () => send(url, ['{"text":"', mebibyte], { endless: true }))
  expect(new Set(await Promise.all(strangers))).toEqual(new Set(['unauthenticated']))
  // What arrives at once is read at once: 64 KiB on top at most.
  expect(Math.max(...used)).toBeLessThanOrEqual(60 * 2 * KEY_BYTES.max)
})

it('a key at the beginning of a long body is found, and the rest is read for its caller', async () => {
  const url = await serve(openBodyBudget(manualClock()), async (body) => {
    const key = await body.findKey('auth_token', false)
    const values = new Map(await body.readAll('k'))
    return `${key} ${String(values.get('text')).length}`
  })
  const text = 'x'.repeat(3 * MEBIBYTE)
  expect(await send(url, [JSON.stringify({ auth_token: KEY, text })])).toBe(`${KEY} ${3 * MEBIBYTE}`)
  expect(await send(url, [JSON.stringify({ text, auth_token: KEY })])).toBe('unauthenticated')
  expect(await send(url, [JSON.stringify({ text: 'short', auth_token: KEY })])).toBe(`${KEY} 5`)
})

it('a stranger’s JSON is not parsed, and none of its texts decoded, to see that it has no key', async () => {
  const url = await serve(openBodyBudget(manualClock()), (body) => body.findKey('factory_auth', false))
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  expect(await send(url, [`{${'"\\q"'.repeat(17_000)}`], { endless: true })).toBe('unauthenticated')
  expect(parse).not.toHaveBeenCalled()
})

it('a JSON body counts with what its values take, and may be as long as the texts of its operation', async () => {
  const budget = openBodyBudget(manualClock())
  const used: number[] = []
  const url = await serve(budget, async (body) => {
    try {
      const values = [...(await body.readAll('k'))]
      used.push(budget.used())
      return values.length
    } finally {
      body.release()
    }
  })
  const objects = JSON.stringify({ text: Array.from({ length: 70_000 }, () => ({})) })
  expect(await send(url, [objects])).toBe('1')
  expect(used[0]).toBeGreaterThan(objects.length + 70_000 * 100)
  expect(await send(url, [JSON.stringify({ text: 'x'.repeat(3 * MEBIBYTE) })])).toBe('1')
  expect(await send(url, [JSON.stringify({ text: 'x'.repeat(4 * MEBIBYTE) })])).toBe('too-large')
  expect(budget.used()).toBe(0)
})

it('bodies beyond the memory for all of them are refused, and there is room again when they are gone', async () => {
  const budget = openBodyBudget(manualClock(), {
    total: withMax(ALL_BODY_BYTES, 2 * MEBIBYTE),
    leftToShort: withMax(SHORT_BODY_BYTES, 0),
  })
  const [arrived, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const url = await serve(budget, async (body) => {
    try {
      const values = [...(await body.readAll('k'))]
      arrived.resolve()
      await left.promise
      return values.length
    } finally {
      body.release()
    }
  })
  const body = JSON.stringify({ text: 'x'.repeat(1.5 * MEBIBYTE) })
  const first = send(url, [body])
  await arrived.promise
  expect(await send(url, [body])).toBe('unavailable')
  left.resolve()
  expect(await first).toBe('1')
  expect(await send(url, [body])).toBe('1')
  expect(budget.used()).toBe(0)
})

it('a stranger’s body that shows no key in time is cut, and one that has shown it goes on', async () => {
  const clock = manualClock()
  const waiting = Promise.withResolvers<void>()
  let count = 0
  const budget = openBodyBudget({
    after(ms, wake) {
      const cancel = clock.after(ms, wake)
      if (++count === 2) waiting.resolve()
      return cancel
    },
  })
  const url = await serve(budget, (body) => body.findKey('auth_token', false).finally(body.release))
  const answers = ['{"text":"', `{"auth_token":"${KEY}","text":"`].map((text) =>
    send(url, [text], { endless: true }),
  )
  await waiting.promise
  await expect.poll(() => budget.used()).toBeGreaterThan(KEY.length + 20)
  clock.advance(9_999)
  expect(budget.used()).toBeGreaterThan(0)
  clock.advance(1)
  expect(await Promise.all(answers)).toEqual(['timeout', KEY])
  expect(budget.used()).toBe(0)
})

it('a body that made room gives its memory back at once, and its sender has the answer in turn', async () => {
  const clock = manualClock()
  const budget = openBodyBudget(clock, { unknown: withMax(UNKNOWN_BODY_BYTES, 60_000) })
  const url = await serve(budget, (body) => body.findKey('auth_token', false).finally(body.release))
  const answers: string[] = []
  const evicted = send(url, ['x'.repeat(40_000)], { endless: true }).then((text) => answers.push(text))
  await expect.poll(() => budget.used()).toBe(40_000)
  expect(await send(url, [`{"auth_token":"${KEY}","text":"${'x'.repeat(30_000)}"}`])).toBe(KEY)
  expect(budget.used()).toBe(0)
  expect(answers).toEqual([])
  clock.advance(20)
  await evicted
  expect(answers).toEqual(['unavailable'])
})

it('a body that its sender cuts off is bad input', async () => {
  let fault: Promise<unknown> | undefined
  const url = await serve(openBodyBudget(manualClock()), (body) => {
    fault = body.readAll('k').catch((error: unknown) => error)
    cut()
    return fault
  })
  const sent = httpRequest(url, { method: 'POST', headers: { 'Content-Length': '1000' } })
  const cut = (): void => void sent.destroy()
  sent.on('error', () => undefined)
  sent.write('a=1')
  await new Promise((done) => sent.once('close', done))
  expect(await fault).toMatchObject({ code: 'bad-input', details: { body: 'did not arrive whole' } })
})
