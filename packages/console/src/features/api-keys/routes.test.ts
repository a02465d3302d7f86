import { describe, expect, it } from 'vitest'
import { ADMIN, engines, openTestConsole, type TestConsole, type Params } from '../../../test/test-console.ts'

type Given = Omit<Parameters<TestConsole['api']['apiKeys']['add']>[0], 'note'> & { readonly note?: string }

const add = async ({ api }: TestConsole, params: Given) =>
  (await api.apiKeys.add({ note: 'x', ...params })).global_api_key
const list = async ({ api }: TestConsole) => (await api.apiKeys.list()).global_api_keys

describe.each(engines)('API keys (%s)', (engine) => {
  it('a new key works at once with the rights of its type, and says who made it', async () => {
    const rookery = await openTestConsole({ engine })
    const [first] = await list(rookery)
    const key = await add(rookery, { auth_token_type: 'read-only', note: 'Wall display' })
    expect(key).toMatchObject({
      auth_token: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      key_id: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
      auth_token_type: 'Read-only',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+0000$/) as string,
      created_by: first?.key_id as string,
      note: 'Wall display',
      allowed_ip_ranges: '',
      expires: '',
      last_used: '',
    })
    expect((await rookery.get('/flocks/list', {}, key.auth_token)).status).toBe(200)
    expect((await rookery.post('/flock/create', { name: 'x' }, key.auth_token)).status).toBe(403)
    expect((await list(rookery)).map((it) => [it.auth_token, it['auth_token_type']])).toEqual([
      [ADMIN, 'Admin'],
      [key.auth_token, 'Read-only'],
    ])
  })

  it('a type is taken as it is shown', async () => {
    const rookery = await openTestConsole({ engine })
    for (const shown of ['Read-only', 'Analyst', 'Admin']) {
      const { status } = await rookery.post('/auth_token/add', { auth_token_type: shown, note: shown })
      expect([shown, status]).toEqual([shown, 200])
    }
    expect((await list(rookery)).slice(1).map((it) => [it['note'], it['auth_token_type']])).toEqual([
      ['Read-only', 'Read-only'],
      ['Analyst', 'Analyst'],
      ['Admin', 'Admin'],
    ])
  })

  it('a removed key stops working at once', async () => {
    const rookery = await openTestConsole({ engine })
    const key = await add(rookery, { auth_token_type: 'analyst' })
    expect((await rookery.get('/ping', {}, key.auth_token)).status).toBe(200)
    expect((await rookery.call('DELETE', '/auth_token/remove', { key_id: key.key_id })).status).toBe(200)
    expect((await rookery.get('/ping', {}, key.auth_token)).status).toBe(401)
    expect((await rookery.call('DELETE', '/auth_token/remove', { key_id: key.key_id })).status).toBe(404)
  })

  it('the last admin key that works cannot be removed', async () => {
    let ahead = 0
    const rookery = await openTestConsole({
      engine,
      world: { clock: { now: () => Date.now() + ahead, after: () => () => undefined } },
    })
    const [first] = await list(rookery)
    const refused = await rookery.post('/auth_token/remove', { key_id: first?.key_id ?? '' })
    expect([refused.status, refused.json['message']]).toEqual([
      409,
      expect.stringContaining('last admin key'),
    ])
    const expires = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', '-')
    const brief = await add(rookery, { auth_token_type: 'admin', expires })
    ahead = 2 * 3_600_000
    expect((await rookery.get('/ping', {}, brief.auth_token)).status).toBe(401)
    expect((await rookery.post('/auth_token/remove', { key_id: first?.key_id ?? '' })).status).toBe(409)
    const second = await add(rookery, { auth_token_type: 'admin' })
    expect(
      (await rookery.post('/auth_token/remove', { key_id: first?.key_id ?? '' }, second.auth_token)).status,
    ).toBe(200)
  })

  it('a key works only from its addresses', async () => {
    const rookery = await openTestConsole({ engine })
    const away = await add(rookery, {
      auth_token_type: 'admin',
      allowed_ip_ranges: '192.0.2.0/24, 2001:db8::/32',
    })
    expect(away['allowed_ip_ranges']).toBe('192.0.2.0/24,2001:db8::/32')
    expect((await rookery.get('/ping', {}, away.auth_token)).status).toBe(403)
    const here = await add(rookery, {
      auth_token_type: 'admin',
      allowed_ip_ranges: '192.0.2.0/24,127.0.0.0/8',
    })
    expect((await rookery.get('/ping', {}, here.auth_token)).status).toBe(200)
  })

  it('names what is wrong with a new key', async () => {
    const rookery = await openTestConsole({ engine })
    const wrong = async (params: Params): Promise<unknown[]> => {
      const answer = await rookery.post('/auth_token/add', params)
      return [answer.status, answer.json['message'], Object.keys(answer.json['details'] ?? {})]
    }
    const ok = { auth_token_type: 'admin', note: 'x' }
    expect(await wrong({ note: 'x' })).toEqual([
      400,
      'Parameter auth_token_type is required.',
      ['auth_token_type'],
    ])
    expect(await wrong({ ...ok, note: '' })).toEqual([400, 'Empty note', ['note']])
    for (const [name, value] of [
      ['auth_token_type', 'root'],
      ['auth_token_type', 'decoytoken-deploy'],
      ['allowed_ip_ranges', '10.0.0.0/33'],
      ['expires', 'tomorrow'],
      ['expires', '2020-01-01-00:00:00'],
    ] as const) {
      expect(await wrong({ ...ok, [name]: value })).toEqual([400, `Parameter ${name} was invalid.`, [name]])
    }
  })

  it('a configuration file names the key and the console; the old paths still answer', async () => {
    const rookery = await openTestConsole({ engine })
    const { global_api_key: made } = await rookery.api.apiKeys.addOld({
      auth_token_type: 'analyst',
      note: 'script',
    })
    for (const path of ['/auth_token/download', '/token/download']) {
      const file = await rookery.get(path, { key_id: made.key_id })
      expect(file.headers.get('content-disposition')).toBe('attachment; filename=rookery.ini')
      const base = rookery.console.apiUrl ?? ''
      expect(file.text.split('\n')).toEqual([
        '[Rookery]',
        `api_key = ${made.auth_token}`,
        `domain = ${new URL(base).host}`,
        `base_url = ${base}`,
        '',
      ])
    }
    expect((await rookery.call('DELETE', '/token/remove', { key_id: made.key_id })).status).toBe(200)
    expect((await rookery.get('/auth_token/download', { key_id: made.key_id })).status).toBe(404)
  })

  it('keys are shown once under ROOKERY_KEYS=show-once', async () => {
    const rookery = await openTestConsole({ engine, env: { ROOKERY_KEYS: 'show-once' } })
    const key = await add(rookery, { auth_token_type: 'read-only' })
    expect((await rookery.get('/ping', {}, key.auth_token)).status).toBe(200)
    expect((await list(rookery)).map((it) => it.auth_token)).toEqual(['*'.repeat(32), '*'.repeat(32)])
    const file = await rookery.get('/auth_token/download', { key_id: key.key_id })
    expect([file.status, file.json['message']]).toEqual([
      409,
      expect.stringContaining('ROOKERY_KEYS=show-once'),
    ])
  })

  it('a console that changes to show-once forgets the keys that it could read', async () => {
    const rookery = await openTestConsole({ engine })
    const key = await add(rookery, { auth_token_type: 'analyst' })
    await rookery.api.tokenFactory.createFactory({ flock_id: 'flock:default', memo: 'script' })
    await rookery.restart({ ROOKERY_KEYS: 'show-once' })
    expect((await list(rookery)).map((it) => it.auth_token)).toEqual(Array(3).fill('*'.repeat(32)))
    const kept = await rookery.console.base.reader.selectFrom('api_key').select('sealed_key').execute()
    expect(kept.map(({ sealed_key }) => sealed_key)).toEqual(['', '', ''])
    expect((await rookery.get('/flocks/list', {}, key.auth_token)).status).toBe(200)
    // Changed back, it cannot bring them back, and says so.
    await rookery.restart({ ROOKERY_KEYS: 'recoverable' })
    expect((await rookery.get('/auth_token/download', { key_id: key.key_id })).status).toBe(409)
    const newer = await add(rookery, { auth_token_type: 'analyst' })
    expect((await rookery.get('/auth_token/download', { key_id: newer.key_id })).status).toBe(200)
  })

  it('behind a proxy that is trusted, the address of the caller counts', async () => {
    const env = { ROOKERY_TRUSTED_PROXIES: '127.0.0.0/8' }
    const rookery = await openTestConsole({ engine, env })
    const away = await add(rookery, { auth_token_type: 'admin', allowed_ip_ranges: '192.0.2.0/24' })
    const from = async (address: string): Promise<number> => {
      const headers = { 'X-Auth-Token': away.auth_token, 'X-Forwarded-For': address }
      return (await fetch(`${rookery.console.apiUrl}/api/v1/ping`, { headers })).status
    }
    expect([await from('192.0.2.9'), await from('::ffff:192.0.2.9'), await from('198.51.100.9')]).toEqual([
      200, 200, 403,
    ])
  })

  it('a key that was used says when', async () => {
    const rookery = await openTestConsole({ engine })
    await rookery.api.ping.ping()
    await rookery.console.base.writer.idle()
    expect((await list(rookery))[0]?.['last_used']).toMatch(/UTC\+0000$/)
  })
})

describe.each(engines)('the API switch (%s)', (engine) => {
  it('shuts every key out at once, also itself, also after a restart', async () => {
    const rookery = await openTestConsole({ engine })
    const other = await add(rookery, { auth_token_type: 'admin' })
    expect((await rookery.post('/settings/api/enable')).status).toBe(200)
    expect((await rookery.post('/settings/api/disable')).status).toBe(200)
    for (const key of [ADMIN, other.auth_token]) {
      expect((await rookery.get('/ping', {}, key)).status).toBe(403)
      const enabling = await rookery.post('/settings/api/enable', {}, key)
      expect([enabling.status, enabling.json['message']]).toEqual([
        403,
        expect.stringContaining('rookery api-switch on'),
      ])
    }
    await rookery.restart()
    expect((await rookery.get('/ping')).status).toBe(403)
    // Without a good key nobody learns even that.
    expect((await rookery.get('/ping', {}, 'f'.repeat(32))).status).toBe(401)
  })
})
