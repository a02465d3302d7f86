import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import {
  ADMIN,
  engines,
  openTestConsole,
  sharedTestConsole,
  type Answer,
  type TestConsole,
  type Params,
} from '../../../test/test-console.ts'

const openFactory = (rookery: TestConsole, flock_id = 'flock:default', memo = 'Image build') =>
  rookery.api.tokenFactory.createFactory({ flock_id, memo })
/** Creates a token as a factory does: without an API key. */
const create = (rookery: TestConsole, params: Params): Promise<Answer> =>
  rookery.post('/decoytoken/factory/create', { memo: 'On the file server', kind: 'http', ...params }, null)
/** The same with the typed client. */
const createToken = async (rookery: TestConsole, factory_auth: string) =>
  (await rookery.apiAs('').tokenFactory.create({ factory_auth, memo: 'On the file server', kind: 'http' }))
    .decoytoken

describe.each(engines)('the token factory (%s)', (engine) => {
  const rookery = sharedTestConsole({ engine })

  it('counts as the caller where it comes as factory_auth, also behind an API key; no other key counts there', async () => {
    const { flock_id } = await rookery.api.flocks.create({ name: 'Lab' })
    const { factory_auth } = await rookery.api.tokenFactory.createFactory({
      flock_id: String(flock_id),
      memo: 'm',
    })
    const params = { memo: 'On the file server', kind: 'http' }
    const made = await rookery.api.tokenFactory.create({ factory_auth, ...params })
    expect(made.decoytoken).toMatchObject({ flock_id })
    const { status, json } = await rookery.post('/decoytoken/factory/create', {
      factory_auth: ADMIN,
      ...params,
    })
    expect([status, json['message']]).toEqual([
      403,
      expect.stringMatching(/^factory_auth must be a factory key; key [0-9a-f]{8} is admin\.$/),
    ])
  })

  it('creates a URL; opening it raises an incident with the headers of the visitor', async () => {
    const rookery = await openTestConsole({ engine })
    const { factory_auth } = await openFactory(rookery)
    const before = Date.now() / 1000
    const token = await createToken(rookery, factory_auth)
    expect(token).toMatchObject({
      decoytoken: expect.stringMatching(/^[a-z0-9]{25}$/) as string,
      created: expect.stringMatching(/^\d+\.\d{6}$/) as string,
      created_printable: expect.stringMatching(/ GMT\+0000 \(UTC\)$/) as string,
      enabled: true,
      factory_auth,
      flock_id: 'flock:default',
      hostname: `${token.decoytoken}.tokens.localhost`,
      key: `decoydrop:${token.decoytoken}`,
      kind: 'http',
      memo: 'On the file server',
      renders: { url: token.url },
      triggered_count: 0,
      last_triggered: null,
      updated_id: expect.any(Number) as number,
    })
    expect(Math.abs(Number(token['created']) - before)).toBeLessThan(60)
    expect(token.url).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:\\d+/([a-z0-9]+/){1,3}${token.decoytoken}/[a-z]+\\.[a-z]+$`),
    )

    const opened = await fetch(token.url, { headers: { 'User-Agent': 'curl/8.14.1', Accept: '*/*' } })
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/gif'])
    const { incidents } = await rookery.api.incidentQueries.unacknowledged()
    expect(incidents).toHaveLength(1)
    expect(incidents[0]).toMatchObject({
      id: expect.stringMatching(/^incident:decoytoken:[0-9a-f]{24}:127\.0\.0\.1:\d+$/) as string,
      summary: 'Decoytoken triggered',
      description: {
        logtype: '17000',
        memo: 'On the file server',
        name: 'N/A',
        node_id: token.decoytoken,
        src_host: '127.0.0.1',
        src_port: '0',
        dst_port: new URL(token.url).port,
        events: [
          {
            decoytoken: token.decoytoken,
            type: 'http',
            dst_port: Number(new URL(token.url).port),
            headers: { 'User-Agent': 'curl/8.14.1', Accept: '*/*' },
          },
        ],
      },
    })
  })

  it('a token outlives its factory and the console', async () => {
    const rookery = await openTestConsole({ engine, env: { ROOKERY_TOKENS_URL: 'https://cdn.example/' } })
    const { factory_auth } = await openFactory(rookery)
    const token = await createToken(rookery, factory_auth)
    expect(token.url).toMatch(/^https:\/\/cdn\.example\/[a-z0-9]/)
    const gone = await rookery.api.tokenFactory.deleteFactory({ factory_auth })
    expect(gone.msg).toBe('TokenFactory auth string deleted')
    expect((await create(rookery, { factory_auth })).status).toBe(401)
    expect((await rookery.post('/decoytoken/delete_factory', { factory_auth })).status).toBe(404)
    await rookery.restart()
    await rookery.console.ingest.fromToken({
      tokenId: token.decoytoken,
      visit: {
        channel: 'http',
        method: 'GET',
        path: new URL(token.url).pathname,
        headers: {},
        srcHost: '192.0.2.7',
        dstPort: 443,
      },
      srcPort: 0,
      dstHost: '10.0.0.1',
      receivedAt: Date.now(),
    })
    expect((await rookery.api.incidentQueries.unacknowledged()).incidents).toHaveLength(1)
  })

  it('its address creates a token when it is posted to', async () => {
    const { factory_url } = await openFactory(rookery)
    const body = new URLSearchParams({ memo: 'by the address alone', kind: 'http' })
    expect((await fetch(factory_url, { method: 'POST', body })).status).toBe(200)
  })

  it('a factory creates tokens in its own Flock and may do nothing else', async () => {
    const { flock_id } = await rookery.api.flocks.create({ name: 'Berlin' })
    const { factory_auth } = await openFactory(rookery, flock_id)
    expect((await createToken(rookery, factory_auth)).flock_id).toBe(flock_id)
    expect((await create(rookery, { factory_auth, flock_id: 'flock:default' })).status).toBe(403)
    // A list of one in JSON is refused, too.
    const asList = await fetch(`${rookery.console.apiUrl ?? ''}/api/v1/decoytoken/factory/create`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ factory_auth, memo: 'm', kind: 'http', flock_id: ['flock:default'] }),
    })
    expect(asList.status).toBe(403)
    for (const path of ['/decoytoken/list_factories', '/incidents/all', '/flocks/list', '/auth_token/list']) {
      expect((await rookery.get(path, {}, factory_auth)).status).toBe(403)
    }
    // As auth_token it is the same key.
    const asToken = await create(rookery, { auth_token: factory_auth })
    expect(asToken.json['decoytoken']).toMatchObject({ flock_id, factory_auth })
  })

  it('factories are listed, also among the keys', async () => {
    const rookery = await openTestConsole({ engine })
    const { factory_auth } = await openFactory(rookery)
    expect((await rookery.api.tokenFactory.listFactories()).factories).toEqual([
      { factory_auth, flock_id: 'flock:default', memo: 'Image build' },
    ])
    const { global_api_keys: keys } = await rookery.api.apiKeys.list()
    expect(keys).toContainEqual(
      expect.objectContaining({ auth_token: factory_auth, auth_token_type: 'Decoytoken-deploy' }),
    )
    expect(
      (await rookery.post('/decoytoken/create_factory', { flock_id: 'flock:none', memo: 'm' })).status,
    ).toBe(404)
    expect(
      (await rookery.post('/decoytoken/create_factory', { flock_id: 'flock:default', memo: '' })).json[
        'message'
      ],
    ).toBe('Empty memo')
  })

  it('the key of a factory is sent like any key, shows when it was last used, and is removed like one', async () => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Berlin' })
    const { factory_auth } = await openFactory(rookery, flock_id, 'Image build')
    const listed = async () => {
      await rookery.console.base.writer.idle()
      const answer = await rookery.api.apiKeys.list()
      const keys = answer.global_api_keys
      return keys.find((it) => it['auth_token'] === factory_auth)
    }
    expect(await listed()).toMatchObject({
      auth_token_type: 'Decoytoken-deploy',
      note: 'Image build',
      flock_id,
      last_used: '',
    })

    const url = `${rookery.console.apiUrl ?? ''}/api/v1/decoytoken/factory/create`
    const order = { memo: 'm', kind: 'http' }
    const requests: Record<string, RequestInit> = {
      parameter: { body: new URLSearchParams({ ...order, auth_token: factory_auth }) },
      'X-Auth-Token': { headers: { 'X-Auth-Token': factory_auth }, body: new URLSearchParams(order) },
      bearer: { headers: { Authorization: `Bearer ${factory_auth}` }, body: new URLSearchParams(order) },
    }
    for (const [how, init] of Object.entries(requests)) {
      const made = (await (await fetch(url, { method: 'POST', ...init })).json()) as {
        decoytoken: Record<string, unknown>
      }
      expect([how, made.decoytoken['flock_id'], made.decoytoken['factory_auth']]).toEqual([
        how,
        flock_id,
        factory_auth,
      ])
    }
    for (const key of [{ auth_token: factory_auth }, { factory_auth }]) {
      const elsewhere = await create(rookery, { ...key, flock_id: 'flock:default' })
      expect([elsewhere.status, elsewhere.json['error']]).toEqual([403, 'forbidden'])
    }
    expect((await listed())?.['last_used']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+0000$/)

    const key_id = (await listed())?.['key_id'] ?? ''
    expect((await rookery.call('DELETE', '/auth_token/remove', { key_id })).status).toBe(200)
    expect((await create(rookery, { factory_auth })).status).toBe(401)
    expect((await rookery.api.tokenFactory.listFactories()).factories).toEqual([])
    expect((await rookery.post('/decoytoken/delete_factory', { factory_auth })).status).toBe(404)
  })

  it('its key is shown once if the console shows keys once', async () => {
    const rookery = await openTestConsole({ engine, env: { ROOKERY_KEYS: 'show-once' } })
    const { factory_auth } = await openFactory(rookery)
    expect((await rookery.api.tokenFactory.listFactories()).factories).toMatchObject([
      { factory_auth: '*'.repeat(32) },
    ])
    expect((await create(rookery, { factory_auth })).status).toBe(200)
    expect((await rookery.post('/decoytoken/delete_factory', { factory_auth })).status).toBe(200)
  })

  it('a request that is wrong is refused, with the reason', async () => {
    const { factory_auth } = await openFactory(rookery)
    const refused = async (params: Params): Promise<unknown[]> => {
      const { status, json } = await create(rookery, { factory_auth, ...params })
      return [status, json['message']]
    }
    expect(await refused({ memo: '' })).toEqual([400, 'Empty memo'])
    expect(await refused({ kind: 'abacus' })).toEqual([400, 'Supplied kind is not valid.'])
    expect(await refused({ kind: 'constructor' })).toEqual([400, 'Supplied kind is not valid.'])
    expect(await refused({ custom_domain: 'http://x/' })).toEqual([
      400,
      'Parameter custom_domain was invalid.',
    ])
    expect(await refused({ browser_scanner_enabled: 'perhaps' })).toEqual([
      400,
      'Parameter browser_scanner_enabled was invalid.',
    ])
    expect((await create(rookery, {})).status).toBe(401)
    expect(
      (await rookery.post('/decoytoken/factory/create', { memo: 'm', kind: 'http', flock_id: 'flock:none' }))
        .status,
    ).toBe(404)
  })

  it('a custom domain stands in the URL and the host name', async () => {
    const token = (
      await rookery.api.tokenFactory.create({
        memo: 'm',
        kind: 'http',
        custom_domain: 'cdn.example',
      })
    ).decoytoken
    expect(new URL(token.url).hostname).toBe('cdn.example')
    expect(token.hostname).toBe(`${token.decoytoken}.cdn.example`)
  })

  it('settings of the kind decide what a visitor gets', async () => {
    const visit = async (params: Params): Promise<string | null> => {
      const { url } = (await rookery.api.tokenFactory.create({ memo: 'm', kind: 'http', ...params }))
        .decoytoken
      return (await fetch(url, { headers: { Accept: 'text/html' } })).headers.get('content-type')
    }
    expect(await visit({})).toMatch('text/html')
    expect(await visit({ browser_scanner_enabled: false })).toBe('image/gif')
  })

  it('a kind without a file has none to download, and only its Flock’s tokens are found', async () => {
    const { factory_auth } = await openFactory(rookery)
    const { flock_id } = await rookery.api.flocks.create({ name: 'Berlin' })
    const { decoytoken } = await createToken(rookery, factory_auth)
    const other = (await rookery.api.tokenFactory.create({ memo: 'm', kind: 'http', flock_id })).decoytoken
      .decoytoken
    const download = async (id: string): Promise<unknown[]> => {
      const { status, json } = await rookery.get(
        '/decoytoken/factory/download',
        { factory_auth, decoytoken: id },
        null,
      )
      return [status, json['message']]
    }
    expect(await download(decoytoken)).toEqual([400, 'File generation not supported.'])
    expect(await download(other)).toEqual([404, 'Could not find the decoytoken'])
    expect(await download('x'.repeat(25))).toEqual([404, 'Could not find the decoytoken'])
  })

  it('the kinds are listed by name', async () => {
    expect((await rookery.api.tokenFactory.listKinds()).factory_decoytokens).toMatchObject({
      http: 'Web bug',
    })
  })

  it('creates so many tokens a second and in all, and no more; a deleted token makes room', async () => {
    const clock = manualClock()
    const env = { ROOKERY_FACTORY_TOKENS_PER_SECOND: '2', ROOKERY_FACTORY_TOKENS: '3' }
    const rookery = await openTestConsole({ engine, env, world: { clock } })
    const { factory_auth } = await openFactory(rookery)
    const create = async (kind = 'http') => {
      const { status, json, headers } = await rookery.post(
        '/decoytoken/factory/create',
        { factory_auth, memo: 'm', kind },
        null,
      )
      return [status, json['error'] ?? 'none', headers.get('retry-after')]
    }
    expect([await create(), await create('no-such-kind'), await create()]).toEqual([
      [200, 'none', null],
      [400, 'bad-input', null],
      [429, 'too-many', '1'],
    ])
    clock.advance(1_000)
    expect([await create(), await create()].map(([status]) => status)).toEqual([200, 200])
    clock.advance(1_000)
    expect(await create()).toEqual([409, 'conflict', null])
    const [token] = (await rookery.api.tokens.ofFlock({ flock_id: 'flock:default' })).tokens
    await rookery.api.tokens.remove({ decoytoken: token?.decoytoken ?? '' })
    clock.advance(60_000)
    expect(await create()).toEqual([200, 'none', null])
    // An API key is no factory.
    expect((await rookery.post('/decoytoken/factory/create', { memo: 'm', kind: 'http' })).status).toBe(200)
  })

  it('refuses a memo of more than 10,000 characters', async () => {
    const create = (memo: string) => rookery.post('/decoytoken/create', { memo, kind: 'http' })
    expect((await create('🐦'.repeat(10_000))).status).toBe(200)
    const long = await create('x'.repeat(10_001))
    expect([long.status, long.json['message']]).toEqual([400, 'Memo longer than maximum (10000 characters).'])
  })

  it('many are created at once, each with an id and a number of its own', async () => {
    const { factory_auth } = await openFactory(rookery)
    const tokens = await Promise.all(Array.from({ length: 60 }, () => createToken(rookery, factory_auth)))
    expect(new Set(tokens.map((it) => it.decoytoken)).size).toBe(60)
    expect(new Set(tokens.map((it) => it.updated_id)).size).toBe(60)
  })
})
