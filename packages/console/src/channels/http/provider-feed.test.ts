// A provider reports uses to the address of its feed: each is stored once, before the answer.
import { once } from 'node:events'
import { createServer, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ProviderEvent } from '@rookery/tokens/provider.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { registryOf, tokenWithResource } from '../../../test/provider-tokens.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { testProvider } from '../../../test/test-provider.ts'
import type { EngineName } from '../../db/query.ts'
import { openHousekeeping } from '../../flows/housekeeping.ts'
import { feedUrl } from '../../flows/providers/feed-address.ts'
import { listening } from '../../addresses/listening.ts'
import { providerFeed } from './provider-feed.ts'

const DAY_MS = 86_400_000
const SECRET = { 'x-secret': 's3cret' }

async function open(engine: EngineName) {
  const clock = manualClock()
  const rookery = await openTestConsole({ engine, world: { clock } })
  const registry = registryOf(rookery, testProvider())
  const { base, ingest } = rookery.console
  const answerFeed = providerFeed({ ...base, registry, ingest, tokensUrl: () => 'http://t.example' })
  const server = createServer((request, response) => {
    const answering = answerFeed(request)
    if (!answering) return void response.writeHead(404).end()
    void answering.then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
  })
  const url = await listening(server, '127.0.0.1:0')
  onTestFinished(() => void server.close())
  const post = async (
    body: string,
    headers: Record<string, string> = SECRET,
    at = feedUrl(base.vault, url, 'test'),
  ): Promise<number> => {
    const response = await fetch(at, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  }
  return { rookery, clock, url, post, answerFeed }
}

const event = (clock: { now(): number }, values: Partial<ProviderEvent> = {}): ProviderEvent => ({
  id: 'evt_1',
  remoteId: 'card_1',
  at: clock.now() - 90_000,
  srcHost: '192.0.2.7',
  eventName: 'used',
  fields: { amount: 1200 },
  ...values,
})

const incidents = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents.map(({ description }) => description)

const countOf = async ({ api }: TestConsole, decoytoken: string): Promise<number> =>
  (await api.tokens.fetch({ decoytoken })).token.triggered_count

describe.each(engines)('a request to the feed of a provider (%s)', (engine) => {
  it('raises each event once, with the time of the provider, however often it is reported', async () => {
    const { rookery, clock, post } = await open(engine)
    const token = await tokenWithResource(rookery, 'card_1')
    const body = JSON.stringify([
      event(clock),
      event(clock),
      event(clock, { id: 'evt_2', srcHost: 'ec2.example' }),
      event(clock, { id: 'evt_3', remoteId: 'another' }),
    ])
    const at = clock.now() - 90_000
    for (let n = 0; n < 3; n++) expect(await post(body)).toBe(200)
    const found = (await incidents(rookery)).toSorted((a, b) => b.src_host.localeCompare(a.src_host))
    expect(found.map(({ src_host, created }) => [src_host, Number(created)])).toEqual([
      ['192.0.2.7', at / 1_000],
      ['', at / 1_000],
    ])
    expect(found.flatMap(({ events }) => events)).toEqual([
      expect.objectContaining({
        decoytoken: token,
        event_name: 'used',
        dst_port: 443,
        amount: 1200,
        delay_s: 90,
        headers: {},
        src_host: '192.0.2.7',
      }),
      expect.objectContaining({ src_host: '', src_host_left_out: 'ec2.example' }),
    ])
    expect(await countOf(rookery, token)).toBe(2)
  })

  it('whose connection was gone before it was read is refused', async () => {
    const { rookery, url, answerFeed } = await open(engine)
    const request = new IncomingMessage(new Socket())
    request.method = 'POST'
    request.url = new URL(feedUrl(rookery.console.base.vault, url, 'test')).pathname
    const closed = once(request, 'close')
    request.destroy()
    await closed
    expect(await answerFeed(request)).toMatchObject({ status: 400 })
  })

  it('is remembered for thirty days', async () => {
    const { rookery, clock, post } = await open(engine)
    const token = await tokenWithResource(rookery, 'card_1')
    const report = JSON.stringify([event(clock)])
    const sweep = async (): Promise<void> => {
      const housekeeping = openHousekeeping(rookery.console.base)
      await housekeeping.sweep()
      await housekeeping.stop()
    }
    expect(await post(report)).toBe(200)
    clock.advance(30 * DAY_MS)
    await sweep()
    expect(await post(report)).toBe(200)
    expect(await countOf(rookery, token)).toBe(1)
    clock.advance(1)
    await sweep()
    expect(await post(report)).toBe(200)
    expect(await countOf(rookery, token)).toBe(2)
  })

  it('raises nothing for a disabled or deleted token', async () => {
    const { rookery, clock, post } = await open(engine)
    const [disabled, deleted] = [
      await tokenWithResource(rookery, 'card_1'),
      await tokenWithResource(rookery, 'card_2'),
    ]
    await rookery.api.tokens.disable({ decoytoken: disabled })
    await rookery.api.tokens.remove({ decoytoken: deleted })
    const events = [event(clock), event(clock, { id: 'evt_2', remoteId: 'card_2' })]
    expect(await post(JSON.stringify(events))).toBe(200)
    expect(await incidents(rookery)).toEqual([])
  })

  it('is refused without the secret, and where it is too long, and stores nothing then', async () => {
    const { rookery, clock, post } = await open(engine)
    await tokenWithResource(rookery, 'card_1')
    const body = JSON.stringify([event(clock)])
    expect(await post(body, {})).toBe(401)
    expect(await post(body, { 'x-secret': 's3creT' })).toBe(401)
    expect(await post(`[${' '.repeat(1024 * 1024)}]`)).toBe(413)
    expect(await post('no JSON')).toBe(500)
    expect(await incidents(rookery)).toEqual([])
    expect(await post(`${body}${' '.repeat(1024 * 1024 - body.length)}`)).toBe(200)
    expect(await incidents(rookery)).toHaveLength(1)
  })

  it('is a request like any other at an address that nobody was given', async () => {
    const { url, post } = await open(engine)
    const forged = `${url}/ingest/test/${'0'.repeat(32)}`
    expect(await post('[]', SECRET, forged)).toBe(404)
    expect(await post('[]', SECRET, `${url}/ingest/test`)).toBe(404)
  })

  it('takes what a database refuses as it is, without losing the rest', async () => {
    const { rookery, clock, post } = await open(engine)
    const token = await tokenWithResource(rookery, 'card_1')
    const odd = event(clock, { id: '\u0000', eventName: '\u0000', fields: { note: 'a\u0000b\ud800' } })
    expect(await post(JSON.stringify([odd, event(clock, { id: 'evt_2' })]))).toBe(200)
    expect(await countOf(rookery, token)).toBe(2)
  })
})
