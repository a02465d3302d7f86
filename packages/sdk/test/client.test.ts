import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { ADMIN, openTestConsole, type TestConsole } from '@rookery/console/test/test-console.ts'
import { plantSeed } from '@rookery/console/test/seed.ts'
import { ApiError } from '../src/api-error.ts'
import { openClient } from '../src/client.ts'
import type { AnsweredFile, Client } from '../src/types.ts'

const clientOf = (testConsole: TestConsole, key = ADMIN): Client =>
  openClient({ baseUrl: `${testConsole.console.apiUrl}/`, key })

const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

describe('the client of a real console', () => {
  it('reads incidents, acknowledges them and continues to poll from the last id', async () => {
    const testConsole = await openTestConsole()
    const { incident } = await plantSeed(testConsole)
    const rookery = clientOf(testConsole)
    const list = await rookery.incidentQueries.unacknowledged({ incidents_since: 0, limit: 10 })
    // The seed has also raised incidents of changed settings.
    expect(list.incidents.map(({ id, description }) => [id, description.src_host])).toContainEqual([
      incident,
      '192.0.2.7',
    ])
    expect(await rookery.incidentActions.acknowledge({ incident })).toEqual({
      result: 'success',
      action: 'acknowledged',
      key: incident,
    })
    const since = list.max_updated_id ?? 0
    const { incidents } = await rookery.incidentQueries.acknowledged({ incidents_since: since })
    expect(incidents.map(({ id }) => id)).toEqual([incident])
  })

  it('sends text, booleans, numbers and objects unchanged', async () => {
    const testConsole = await openTestConsole()
    const rookery = clientOf(testConsole)
    const flock_id = 'flock:default'
    const note = 'a&b=c % + ü 🐦\n"d"'
    await rookery.flockNotes.add({ flock_id, note })
    expect((await rookery.flockNotes.read({ flock_id })).note).toBe(note)
    expect((await rookery.flockLimits.set({ flock_id, limit: 7 })).limit).toBe(7)
    const url = 'https://alerts.example.com/rookery'
    await rookery.flockWebhooks.addGeneric({ flock_id, url, headers: { 'X-Team': 'red, blue' } })
    const { generic_webhooks } = await rookery.flockWebhooks.listGeneric({ flock_id })
    expect(generic_webhooks).toMatchObject([{ url, header_names: ['X-Team'] }])
    expect((await rookery.flockNotes.remove({ flock_id })).result).toBe('success')
  })

  it('answers a file with its name, type and bytes', async () => {
    const testConsole = await openTestConsole()
    const { node_id, key_id } = await plantSeed(testConsole)
    const rookery = clientOf(testConsole)
    const { file } = await rookery.birdQueries.ips({ download: true })
    expect(file?.name).toMatch(/^[\w.-]+$/)
    expect(file?.contentType).toContain('text/plain')
    expect(new TextDecoder().decode(file?.bytes)).toBe('10.0.0.5\n')
    const json = await rookery.birdQueries.ips()
    expect(json.file).toBeUndefined()
    expect(json.ips['flock:default']?.devices).toHaveProperty(String(node_id))
    const ini = await rookery.apiKeys.download({ key_id })
    expect(new TextDecoder().decode(ini.file?.bytes)).toContain('[Rookery]')
  })

  it('rejects with the error of the console', async () => {
    const testConsole = await openTestConsole()
    const rookery = clientOf(testConsole)
    const missing = await failure(rookery.flockNotes.read({ flock_id: 'flock:none' }))
    expect([missing.status, missing.code, missing.message]).toEqual([
      404,
      'not-found',
      'Flock does not exist.',
    ])
    expect(missing.requestId).toMatch(/^\w{8,}$/)
    const wrong = await failure(rookery.incidentQueries.all({ limit: 0 }))
    expect([wrong.status, wrong.code, Object.keys(wrong.details)]).toEqual([400, 'bad-input', ['limit']])
    const unknown = await failure(clientOf(testConsole, 'f'.repeat(32)).ping.ping())
    expect([unknown.status, unknown.message]).toEqual([401, 'Invalid auth_token'])
  })
})

it('a file is sent as multipart/form-data, with the other parameters', async () => {
  const bodies: unknown[] = []
  const spy: typeof fetch = (_input, init) => {
    bodies.push(init?.body)
    return Promise.resolve(Response.json({ result: 'success' }))
  }
  // A parameter that this client's contract does not know, as one of a newer console may be.
  const params = {
    memo: 'On a page',
    kind: 'web-image',
    web_image: new File([new Uint8Array([137, 80, 78, 71])], 'logo.png', { type: 'image/png' }),
  }
  await openClient({ baseUrl: 'http://127.0.0.1:9', key: ADMIN, fetch: spy }).tokenFactory.create(params)
  const form = bodies[0] as FormData
  expect([form.get('memo'), (form.get('web_image') as File).name]).toEqual(['On a page', 'logo.png'])
})

it('the answer of a proxy, which is no JSON, is an ApiError with its text', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const error = await failure(openClient({ baseUrl, key: ADMIN }).ping.ping())
  expect([error.status, error.code]).toEqual([502, 'unknown'])
  expect(error.message).toContain('<h1>Bad Gateway</h1>')
})

it.each([301, 307])('a redirect (%i) takes the key to no other host', async (status) => {
  const asked: string[] = []
  const elsewhere = createServer((request, response) => {
    asked.push(String(request.headers['x-auth-token']))
    response.end('{"result":"success"}')
  })
  const server = createServer((_request, response) => response.writeHead(status, { location }).end())
  for (const it of [elsewhere, server])
    await new Promise<void>((resolve) => it.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => [elsewhere, server].forEach((it) => void it.close()))
  const urlOf = (it: Server): string => `http://127.0.0.1:${(it.address() as AddressInfo).port}`
  const location = `${urlOf(elsewhere)}/api/v1/ping`
  const client = openClient({ baseUrl: urlOf(server), key: ADMIN })
  for (const call of [() => client.ping.ping(), () => client.flockNotes.add({ flock_id: 'f', note: 'n' })])
    expect(await failure(call())).toMatchObject({
      status,
      message: expect.stringContaining(`a redirect to ${location}`) as string,
    })
  expect(asked).toEqual([])
})

it('a key never shows in a URL', async () => {
  const urls: string[] = []
  const spy: typeof fetch = (input) => {
    urls.push(String(input))
    return Promise.resolve(Response.json({ result: 'success', ips: {} }))
  }
  await openClient({ baseUrl: 'http://127.0.0.1:9', key: ADMIN, fetch: spy }).birdQueries.ips({
    flock_id: 'flock:default',
  })
  expect(urls).toEqual(['http://127.0.0.1:9/api/v1/device/ips?flock_id=flock%3Adefault'])
})

it('the types require the required parameters, and no others', () => {
  type First<F extends (...args: never) => unknown> = Parameters<F>[0]
  expectTypeOf<First<Client['flockNotes']['add']>>().toEqualTypeOf<{ flock_id: string; note: string }>()
  expectTypeOf<undefined>().toExtend<First<Client['incidentQueries']['all']>>()
  expectTypeOf<{ node_id: string }>().toExtend<First<Client['registration']['commission']>>()
  expectTypeOf<{ flock_id: string }>().not.toExtend<First<Client['registration']['commission']>>()
  expectTypeOf<undefined>().not.toExtend<First<Client['birdQueries']['info']>>()
  expectTypeOf<{ node_id: string }>().toExtend<First<Client['birdQueries']['info']>>()
  type Info = Awaited<ReturnType<Client['birdQueries']['info']>>
  expectTypeOf<Info['device']['unacknowleged_incidents'][number]['updated_id']>().toEqualTypeOf<number>()
  expectTypeOf<Info['file']>().toEqualTypeOf<AnsweredFile | undefined>()
})
