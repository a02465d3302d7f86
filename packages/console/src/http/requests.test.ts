import { request } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { ADMIN, engines, openTestConsole, ownTestConsole, type TestConsole } from '../../test/test-console.ts'

const PATH = '/api/v1/flock/note/add'
const note = { flock_id: 'flock:default', note: 'n' }
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Sends a request as it is written here; answers status, headers and JSON. */
function send(
  rookery: TestConsole,
  path: string,
  {
    method = 'POST',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; json: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${rookery.console.apiUrl ?? ''}${path}`, { method, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const json = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, json })
        sent.destroy()
      })
    })
    sent.on('error', reject)
    if (headers['Content-Length'] !== undefined && Number(headers['Content-Length']) > body.length)
      sent.write(body || ' ')
    else sent.end(body)
  })
}

const read = async (rookery: TestConsole): Promise<unknown> =>
  (await rookery.get('/flock/note', { flock_id: note.flock_id })).json['note']

describe('a request', () => {
  const rookery = ownTestConsole()

  it('may carry its parameters in a form, in multipart, in JSON or in the query', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...note, note: 'multipart', auth_token: ADMIN }))
      form.append(name, value)
    const url = `${rookery.console.apiUrl ?? ''}${PATH}`
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200)
    expect(await read(rookery)).toBe('multipart')
    const body = JSON.stringify({ ...note, note: 'json', auth_token: ADMIN })
    expect((await send(rookery, PATH, { headers: JSON_TYPE, body })).status).toBe(200)
    expect(await read(rookery)).toBe('json')
    const query = new URLSearchParams({ ...note, note: 'why?not=this', auth_token: ADMIN })
      .toString()
      .replaceAll('%3F', '?')
    expect((await send(rookery, `${PATH}?${query}`, {})).status).toBe(200)
    expect(await read(rookery)).toBe('why?not=this')
  })

  it('GET takes a form body, DELETE paths take POST', async () => {
    await rookery.post('/flock/note/add', note)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ auth_token: ADMIN, flock_id: note.flock_id }).toString()
    const got = await send(rookery, '/api/v1/flock/note', {
      method: 'GET',
      headers: { ...headers, 'Content-Length': String(body.length) },
      body,
    })
    expect(got.json).toEqual({ result: 'success', note: 'n' })
    expect((await rookery.post('/flock/note/delete', { flock_id: note.flock_id })).status).toBe(200)
    const wrong = await send(rookery, '/api/v1/flock/note', { headers })
    expect([wrong.status, wrong.json['error'], wrong.headers['allow']]).toEqual([
      405,
      'method-not-allowed',
      'GET',
    ])
  })

  it('may have blanks around numbers and flags, and double slashes in its path', async () => {
    const query = new URLSearchParams({ limit: ' 1\t', shrink: ' True ', auth_token: ADMIN }).toString()
    const ask = (path: string) => send(rookery, `${path}?${query}`, { method: 'GET' })
    expect((await ask('/api/v1//incidents//all')).json).toMatchObject({ result: 'success' })
    const wrong = new URLSearchParams({ limit: ' 1 2 ', auth_token: ADMIN }).toString()
    expect((await send(rookery, `/api/v1/incidents/all?${wrong}`, { method: 'GET' })).status).toBe(400)
  })

  it('finds its operation by the path as it is decoded, and learns which methods another path takes', async () => {
    const ask = async (line: string) => {
      const [method = '', path = ''] = line.split(' ')
      const headers = { 'X-Auth-Token': ADMIN }
      const { status, headers: answered } = await fetch(`${rookery.console.apiUrl ?? ''}${path}`, {
        method,
        headers,
      })
      return `${status} ${answered.get('allow') ?? ''}`.trim()
    }
    const asked = {
      'GET /api/v1/ping/': '200',
      'GET /api/v1/%70ing': '200',
      'HEAD /api/v1/ping': '200',
      'GET /api/v1/PING': '404',
      'GET /api/v1': '404',
      'GET /api/v1/': '404',
      'GET /api/v1/*': '404',
      'GET /api/v1/constructor': '404',
      'GET /api/v1/incidents%2Fall': '404',
      'POST /api/v1/:(a+)+': '404',
      'GET /api/v1/%': '400',
      'POST /api/v1/ping': '405 GET',
      'POST /api//v1/ping/': '405 GET',
      'GET //none': '404',
      'HEAD /api/v1/flock/note/add': '405 POST',
      'PUT /api/v1/flock/note/delete': '405 POST, DELETE',
      'POST /api/v1/openapi.json': '405 GET',
    }
    const answers = await Promise.all(Object.keys(asked).map(async (line) => [line, await ask(line)]))
    expect(Object.fromEntries(answers)).toEqual(asked)
  })

  it('for a path that is none says where the API is described', async () => {
    expect((await rookery.get('/nothing')).json['message']).toBe(
      'There is no /api/v1/nothing. The API is described at /docs.',
    )
  })

  it('with an empty body of type JSON is no error', async () => {
    const query = new URLSearchParams({ ...note, auth_token: ADMIN }).toString()
    expect((await send(rookery, `${PATH}?${query}`, { headers: JSON_TYPE })).status).toBe(200)
  })

  it('may name its key in three ways', async () => {
    const ping = async (headers: Record<string, string>, query = ''): Promise<number> =>
      (await send(rookery, `/api/v1/ping${query}`, { method: 'GET', headers })).status
    expect(await ping({ 'X-Auth-Token': ADMIN })).toBe(200)
    expect(await ping({ Authorization: `Bearer ${ADMIN}` })).toBe(200)
    expect(await ping({}, `?auth_token=${ADMIN}`)).toBe(200)
    expect(await ping({})).toBe(401)
  })

  it('without a good key learns nothing about its parameters', async () => {
    const bad = { ...JSON_TYPE, 'X-Auth-Token': 'f'.repeat(32) }
    expect((await send(rookery, PATH, { headers: bad, body: '{' })).status).toBe(401)
    const good = { ...JSON_TYPE, 'X-Auth-Token': ADMIN }
    expect((await send(rookery, PATH, { headers: good, body: '{' })).json['message']).toBe(
      'Could not process the parameters',
    )
    // The key may be in the body that cannot be read: then the body is the error.
    expect((await send(rookery, PATH, { headers: JSON_TYPE, body: '{"auth_token":' })).status).toBe(400)
  })

  it('that gives its key twice in JSON is checked by the key that is used, the first', async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map((memo) =>
        rookery.api.tokenFactory.createFactory({ flock_id: 'flock:default', memo }),
      ),
    )
    const pad = (length: number) => `"unknown":"${'x'.repeat(length)}",`
    for (const padding of ['', pad(70_000)]) {
      const keys = `"factory_auth":"${one?.factory_auth}","factory_auth":"${other?.factory_auth}"`
      const body = `{${keys},${padding}"memo":"m","kind":"http"}`
      const made = await send(rookery, '/api/v1/decoytoken/factory/create', { headers: JSON_TYPE, body })
      expect(made.json['decoytoken']).toMatchObject({ factory_auth: one?.factory_auth })
    }
  })

  it('that names its Flock by a file is refused, and the file is not turned into text', async () => {
    const { factory_auth } = await rookery.api.tokenFactory.createFactory({
      flock_id: 'flock:default',
      memo: 'm',
    })
    const form = new FormData()
    for (const [name, value] of Object.entries({ factory_auth, memo: 'm', kind: 'http' }))
      form.append(name, value)
    form.append('flock_id', new File([new Uint8Array(100_000)], 'x'))
    const stringify = vi.spyOn(JSON, 'stringify')
    const url = `${rookery.console.apiUrl ?? ''}/api/v1/decoytoken/factory/create`
    const answer = await fetch(url, { method: 'POST', body: form })
    const given = stringify.mock.calls.map(([value]) => value as unknown)
    stringify.mockRestore()
    expect(given.filter((it) => typeof it === 'object' && it !== null && 'bytes' in it)).toEqual([])
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { message: expect.stringMatching(/has no access to a flock_id that is not one text\.$/) as string },
    ])
  })

  it('that is too large or of a type unknown says so', async () => {
    const large = await send(rookery, PATH, { headers: { ...JSON_TYPE, 'Content-Length': '40000000' } })
    expect([large.status, large.json['error'], large.json['result']]).toEqual([413, 'too-large', 'error'])
    const xml = await send(rookery, PATH, {
      headers: { 'Content-Type': 'application/xml', 'X-Auth-Token': ADMIN },
      body: '<a/>',
    })
    expect([xml.status, xml.json['error']]).toEqual([415, 'unsupported-media-type'])
  })

  it('every failure is JSON with a request id', async () => {
    for (const path of ['/api/v1/nothing', '/nowhere', '/api/v1/ping', '/api/v1/flock/note']) {
      const { json } = await send(rookery, path, { method: 'GET' })
      expect(json).toMatchObject({
        result: 'error',
        message: expect.any(String) as string,
        error: expect.any(String) as string,
        request_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      })
    }
  })
})

describe('a long body', () => {
  const rookery = ownTestConsole()
  const MEBIBYTE = 'x'.repeat(1024 * 1024)
  /** The length of a body that is never sent whole. */
  const unfinished = { 'Content-Length': String(3 * 1024 * 1024) }

  it('of a stranger is refused before it has arrived', async () => {
    const none = await send(rookery, PATH, {
      headers: { ...JSON_TYPE, ...unfinished },
      body: `{"note":"${MEBIBYTE}`,
    })
    expect([none.status, none.json['message']]).toEqual([401, 'Invalid auth_token'])
    expect(none.json['details']).toEqual({
      auth_token: 'must be in the header, in the query or in the first 65536 bytes of the body',
    })
    const wrong = { ...JSON_TYPE, ...unfinished, 'X-Auth-Token': 'f'.repeat(32) }
    expect((await send(rookery, PATH, { headers: wrong, body: MEBIBYTE })).status).toBe(401)
  })

  it('of a key that may not call is refused before it has arrived', async () => {
    const reader = (await rookery.api.apiKeys.add({ auth_token_type: 'read-only', note: 'x' })).global_api_key
    const headers = { ...JSON_TYPE, ...unfinished, 'X-Auth-Token': reader.auth_token }
    expect((await send(rookery, PATH, { headers, body: MEBIBYTE })).status).toBe(403)
  })

  it('is refused by an operation that takes no long texts, and says how long it may be', async () => {
    const headers = { ...JSON_TYPE, 'X-Auth-Token': ADMIN }
    const body = JSON.stringify({ flock_id: 'flock:default', unknown: 'x'.repeat(70_000) })
    const small = await send(rookery, '/api/v1/flock/note/delete', { headers, body })
    expect([small.status, small.json['message']]).toEqual([
      413,
      'The body of this operation may be 65536 bytes long.',
    ])
    expect(
      (await send(rookery, PATH, { headers, body: JSON.stringify({ ...note, unknown: MEBIBYTE }) })).status,
    ).toBe(200)
  })

  it('of header lines is refused as soon as one header is too long', async () => {
    const headers = {
      'Content-Type': 'multipart/form-data; boundary=x',
      'X-Auth-Token': ADMIN,
      ...unfinished,
    }
    const bomb = await send(rookery, PATH, { headers, body: `--x\r\n${'a:\r\n'.repeat(250_000)}` })
    expect([bomb.status, bomb.json['details']]).toEqual([
      400,
      { body: 'has a part whose header is longer than 8192 bytes' },
    ])
  })
})

describe('guessing keys', () => {
  it('is slowed down after 20 a minute; a valid key and a request without one are not', async () => {
    const rookery = await openTestConsole()
    for (let n = 0; n < 30; n++) expect((await rookery.get('/ping', {}, null)).status).toBe(401)
    const guess = (n: number) => rookery.get('/ping', {}, n.toString(16).padStart(32, '0'))
    for (let n = 0; n < 20; n++) expect((await guess(n)).status).toBe(401)
    const late = await guess(21)
    expect([late.status, late.json['error']]).toEqual([429, 'too-many'])
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await rookery.get('/ping')).status).toBe(200)
  })

  it.each(engines)(
    'raises one incident for the minute of a source, with how many keys it tried (%s)',
    async (engine) => {
      const rookery = await openTestConsole({ engine })
      const guess = (n: number) => rookery.get('/ping', {}, n.toString(16).padStart(32, '0'))
      const tried = async () => {
        const { incidents } = await rookery.api.incidentQueries.all()
        return incidents.map(({ description }) => description).filter(({ logtype }) => logtype === '23004')
      }
      for (let n = 0; n < 19; n++) await guess(n)
      expect(await tried()).toEqual([])
      for (let n = 0; n < 10; n++) await guess(n)
      await expect.poll(() => tried()).toHaveLength(1)
      const [incident] = await tried()
      expect(incident).toMatchObject({
        description: 'Unknown API Keys Tried',
        node_id: 'console',
        src_host: '127.0.0.1',
      })
      expect(incident?.events).toMatchObject([{ COUNT: 20 }])
    },
  )
})
