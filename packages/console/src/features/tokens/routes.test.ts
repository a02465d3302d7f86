import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  engines,
  openTestConsole,
  type Answer,
  type TestConsole,
  type Params,
} from '../../../test/test-console.ts'

interface Token {
  readonly decoytoken: string
  readonly url: string
  readonly memo: string
  readonly enabled: boolean
  readonly flock_id: string
  readonly updated_id: number
  readonly triggered_count: number
  readonly [field: string]: unknown
}
interface Cursor {
  readonly next: string | null
  readonly next_link: string | null
  readonly prev: string | null
}
interface Paged {
  readonly tokens: readonly Token[]
  readonly cursor: Cursor
  readonly page_num: number
  readonly page_total: number
}
interface Found {
  readonly tokens: readonly Token[]
  readonly cursor: Cursor
  readonly page_number: number
  readonly total_pages: number
  readonly total_results: number
}

const tokenIn = ({ json }: Answer): Token => (json as unknown as { decoytoken: Token }).decoytoken
const create = async (house: TestConsole, params: Params = {}): Promise<Token> =>
  tokenIn(await house.post('/decoytoken/create', { memo: 'On the file server', kind: 'http', ...params }))
const makeFlock = async (house: TestConsole, name = 'Berlin'): Promise<string> =>
  ((await house.post('/flock/create', { name })).json as unknown as { flock_id: string }).flock_id
const paginate = async (house: TestConsole, params: Params = {}): Promise<Paged> =>
  (await house.get('/decoytokens/paginate', params)).json as unknown as Paged
const search = async (house: TestConsole, params: Params): Promise<Found> =>
  (await house.get('/decoytokens/search', params)).json as unknown as Found
const idsOf = ({ tokens }: { readonly tokens: readonly Token[] }): string[] =>
  tokens.map((it) => it.decoytoken)
const incidents = async (house: TestConsole): Promise<readonly unknown[]> =>
  (await house.get('/incidents/all')).json['incidents'] as unknown as readonly unknown[]
const said = ({ status, json }: Answer): unknown[] => [status, json['message']]

/** Opens the token's URL. Another agent is another visitor: requests of one visitor within 10 s are one visit. */
const touch = (url: string, agent: string): Promise<Response> =>
  fetch(url, { headers: { 'User-Agent': agent, Accept: '*/*' } })

describe.each(engines)('tokens (%s)', (engine) => {
  it('an admin creates one in a chosen Flock; it fires, and its record shows how often', async () => {
    const house = await openTestConsole({ engine })
    const flock_id = await makeFlock(house)
    const token = await create(house, { flock_id })
    expect(token.flock_id).toBe(flock_id)
    expect(token).not.toHaveProperty('factory_auth')
    expect((await create(house)).flock_id).toBe('flock:default')
    expect((await touch(token.url, 'one')).status).toBe(200)
    expect((await touch(token.url, 'two')).status).toBe(200)
    const { token: read } = (await house.get('/decoytoken/fetch', { decoytoken: token.decoytoken }))
      .json as unknown as { token: Token }
    expect(read).toEqual({
      ...token,
      triggered_count: 2,
      updated_id: expect.any(Number) as number,
    })
    expect(read.updated_id).toBeGreaterThan(token.updated_id)
  })

  it('a request that is wrong is refused, with the reason', async () => {
    const house = await openTestConsole({ engine })
    const refused = async (params: Params): Promise<unknown[]> =>
      said(await house.post('/decoytoken/create', { memo: 'm', kind: 'http', ...params }))
    expect(await refused({ memo: '' })).toEqual([400, 'Empty memo'])
    expect(await refused({ kind: 'abacus' })).toEqual([400, 'Supplied kind is not valid.'])
    expect(await refused({ kind: 'k'.repeat(65) })).toEqual([400, 'Supplied kind is not valid.'])
    expect(await refused({ flock_id: 'flock:none' })).toEqual([404, 'Flock does not exist.'])
    expect(await refused({ custom_domain: 'a b' })).toEqual([400, 'Parameter custom_domain was invalid.'])
  })

  it('changes the memo, which the next incident shows, and the settings, which the next visitor sees', async () => {
    const house = await openTestConsole({ engine })
    const token = await create(house)
    const { decoytoken } = token
    const page = (await fetch(token.url, { headers: { Accept: 'text/html' } })).headers.get('content-type')
    expect(page).toMatch('text/html')

    const changed = tokenIn(
      await house.post('/decoytoken/update', {
        decoytoken,
        memo: 'In the vault',
        browser_scanner_enabled: false,
      }),
    )
    expect(changed).toMatchObject({ decoytoken, memo: 'In the vault', url: token.url })
    expect(changed.updated_id).toBeGreaterThan(token.updated_id)
    const image = await fetch(token.url, { headers: { Accept: 'text/html', 'User-Agent': 'another' } })
    expect(image.headers.get('content-type')).toBe('image/gif')
    await house.post('/incidents/acknowledge', { older_than: '0h' })
    await touch(token.url, 'a third')
    const { incidents: open } = (await house.get('/incidents/unacknowledged')).json as unknown as {
      incidents: { description: { memo: string } }[]
    }
    expect(open.map((it) => it.description.memo)).toEqual(['In the vault'])

    // What is not given stays.
    const again = tokenIn(await house.post('/decoytoken/update', { decoytoken, memo: 'Under the mat' }))
    expect(again.memo).toBe('Under the mat')
    const still = await fetch(token.url, { headers: { Accept: 'text/html', 'User-Agent': 'fourth' } })
    expect(still.headers.get('content-type')).toBe('image/gif')
  })

  it('an update that names nothing, or nothing that the kind has, is refused', async () => {
    const house = await openTestConsole({ engine })
    const { decoytoken } = await create(house)
    const refused = async (params: Params): Promise<unknown[]> => {
      const { status, json } = await house.post('/decoytoken/update', { decoytoken, ...params })
      return [status, json['message'], Object.keys(json['details'] ?? {})]
    }
    expect(await refused({})).toEqual([400, 'Nothing to change.', ['memo']])
    expect(await refused({ browser_redirect_url: 'https://a.example/' })).toEqual([
      400,
      'Nothing to change.',
      ['memo'],
    ])
    expect(await refused({ browser_scanner_enabled: 'perhaps' })).toEqual([
      400,
      'Parameter browser_scanner_enabled was invalid.',
      ['browser_scanner_enabled'],
    ])
    expect(await refused({ decoytoken: 'x'.repeat(25), memo: 'm' })).toEqual([
      404,
      'Could not find the decoytoken',
      [],
    ])
  })

  it('a disabled token answers as ever and raises nothing, until it is enabled', async () => {
    const house = await openTestConsole({ engine })
    const { decoytoken, url } = await create(house)
    expect(tokenIn(await house.post('/decoytoken/disable', { decoytoken })).enabled).toBe(false)
    const quiet = await touch(url, 'one')
    expect([quiet.status, quiet.headers.get('content-type')]).toEqual([200, 'image/gif'])
    expect(await incidents(house)).toEqual([])
    expect(tokenIn(await house.post('/decoytoken/enable', { decoytoken })).enabled).toBe(true)
    // The same visitor, within ten seconds: a touch that was not counted does not begin a visit.
    await touch(url, 'one')
    expect(await incidents(house)).toHaveLength(1)
  })

  it('a deleted token answers like an id that never existed and raises nothing; its incidents stay', async () => {
    const house = await openTestConsole({ engine })
    const { decoytoken, url } = await create(house)
    await touch(url, 'one')
    const gone = tokenIn(await house.call('DELETE', '/decoytoken/delete', { decoytoken }))
    expect(gone).toMatchObject({ decoytoken, triggered_count: 1 })
    const late = await touch(url, 'two')
    const noise = await touch(url.replace(decoytoken, 'x'.repeat(25)), 'three')
    expect([late.status, await late.text()]).toEqual([noise.status, await noise.text()])
    await house.restart()
    await touch(new URL(new URL(url).pathname, house.console.tokensUrl).href, 'four')
    expect(await incidents(house)).toHaveLength(1)
    for (const ask of [
      house.get('/decoytoken/fetch', { decoytoken }),
      house.post('/decoytoken/delete', { decoytoken }),
      house.post('/decoytoken/enable', { decoytoken }),
    ])
      expect(said(await ask)).toEqual([404, 'Could not find the decoytoken'])
    expect(idsOf(await paginate(house))).toEqual([])
  })

  it('several are deleted together; when one id is unknown it is named, and none is deleted', async () => {
    const house = await openTestConsole({ engine })
    const ids = (await Promise.all([1, 2, 3].map(() => create(house)))).map((it) => it.decoytoken)
    const [first = '', second = '', third = ''] = ids
    const wrong = 'w'.repeat(25)
    const refused = await house.call('DELETE', '/decoytokens/delete', {
      decoytokens: `${first},${wrong},${second}`,
    })
    expect([refused.status, refused.json['message'], refused.json['details']]).toEqual([
      404,
      `Could not find the decoytoken: ${wrong}`,
      { decoytokens: `names ${wrong}, which does not exist` },
    ])
    expect((await paginate(house)).tokens).toHaveLength(3)
    const removed = await house.call('DELETE', '/decoytokens/delete', {
      decoytokens: ` ${first}, ${second},${first},`,
    })
    expect(removed.json['decoytokens']).toEqual([first, second])
    expect(idsOf(await paginate(house))).toEqual([third])
    expect(said(await house.post('/decoytokens/delete', { decoytokens: ' , ' }))).toEqual([
      400,
      'Empty decoytokens',
    ])
  })

  it('each change leaves a row in the audit trail that names the token and its Flock', async () => {
    const house = await openTestConsole({ engine })
    const flock_id = await makeFlock(house)
    const [one, two] = [await create(house, { flock_id }), await create(house, { flock_id })]
    const { decoytoken } = one
    await house.post('/decoytoken/update', { decoytoken, memo: 'Under the mat' })
    await house.post('/decoytoken/disable', { decoytoken })
    await house.post('/decoytokens/delete', { decoytokens: `${decoytoken},${two.decoytoken}` })
    const { json } = await house.get('/audit_trail/fetch')
    const rows = (json['audit_trail'] as unknown as Readonly<Record<string, string>>[]).filter((row) =>
      row['action_type']?.startsWith('tokens.'),
    )
    expect(new Map(rows.map((row) => [row['action_type'], row['flock_name']]))).toEqual(
      new Map(['create', 'update', 'disable', 'remove_many'].map((name) => [`tokens.${name}`, 'Berlin'])),
    )
    for (const row of rows) expect(row['message']).toMatch(new RegExp(`${decoytoken}|${two.decoytoken}`))
  })

  it('a Flock can be deleted once its last token is deleted', async () => {
    const house = await openTestConsole({ engine })
    const flock_id = await makeFlock(house)
    const { decoytoken } = await create(house, { flock_id })
    expect((await house.post('/flock/delete', { flock_id })).status).toBe(409)
    await house.post('/decoytoken/delete', { decoytoken })
    expect((await house.post('/flock/delete', { flock_id })).status).toBe(200)
  })

  it('every token of a Flock is listed, however many there are', async () => {
    const house = await openTestConsole({ engine })
    const flock_id = await makeFlock(house)
    const made = await Promise.all(Array.from({ length: 260 }, () => create(house, { flock_id })))
    const other = await create(house)
    const { json } = await house.get('/decoytokens/fetch', { flock_id })
    const listed = json as unknown as { tokens: Token[] }
    expect(idsOf(listed).sort()).toEqual(made.map((it) => it.decoytoken).sort())
    expect(listed.tokens.find((it) => it.decoytoken === made[0]?.decoytoken)).toEqual(made[0])
    expect((await house.get('/decoytokens/fetch', { flock_id: 'flock:none' })).status).toBe(404)
    const everywhere = (await house.get('/decoytokens/fetch')).json as unknown as { tokens: Token[] }
    expect(idsOf(everywhere).sort()).toEqual([...idsOf(listed), other.decoytoken].sort())
    expect(everywhere.tokens.find((it) => it.decoytoken === other.decoytoken)).toMatchObject({
      node_id: other.decoytoken,
    })
  })

  it('pages of any size show each token once, in the order of creation, forwards and back', async () => {
    let now = Date.UTC(2026, 3, 14)
    const house = await openTestConsole({
      engine,
      world: { clock: { now: () => now, after: () => () => undefined } },
    })
    const made: string[] = []
    // Three tokens of one moment, three of the next.
    for (let at = 0; at < 12; at++) {
      if (at % 3 === 0) now += 1_000
      made.push((await create(house)).decoytoken)
    }
    const whole = idsOf(await paginate(house))
    expect([...whole].sort()).toEqual([...made].sort())
    for (let at = 0; at < 12; at += 3)
      expect(whole.slice(at, at + 3).sort()).toEqual(made.slice(at, at + 3).sort())

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 13 }), async (limit) => {
        const pages: Paged[] = [await paginate(house, { limit })]
        for (let next = pages[0]?.cursor.next; next; next = pages.at(-1)?.cursor.next)
          pages.push(await paginate(house, { cursor: next }))
        expect(pages.flatMap(idsOf)).toEqual(whole)
        expect(pages.map((it) => [it.page_num, it.page_total])).toEqual(
          pages.map((_, at) => [at + 1, Math.ceil(12 / limit)]),
        )
        let back = pages.at(-1)
        const shown = [back]
        while (back?.cursor.prev) shown.unshift((back = await paginate(house, { cursor: back.cursor.prev })))
        expect(shown.flatMap((it) => idsOf(it as Paged))).toEqual(whole)
        expect(shown[0]?.page_num).toBe(1)
      }),
      { numRuns: 6 },
    )
  })

  it('a token created or deleted between two pages makes none appear twice or be left out', async () => {
    let now = Date.now()
    const house = await openTestConsole({
      engine,
      world: { clock: { now: () => ++now, after: () => () => undefined } },
    })
    const made: string[] = []
    for (let at = 0; at < 6; at++) made.push((await create(house)).decoytoken)
    const first = await paginate(house, { limit: 2 })
    await house.post('/decoytoken/delete', { decoytoken: made[1] ?? '' })
    await create(house)
    const second = await paginate(house, { cursor: first.cursor.next ?? '' })
    expect([...idsOf(first), ...idsOf(second)]).toEqual(made.slice(0, 4))
  })

  it('a link leads to the next page; a forged cursor, or one of another list, is a 400', async () => {
    const house = await openTestConsole({ engine })
    await create(house)
    await create(house)
    const { cursor } = await paginate(house, { limit: 1 })
    const next = await fetch(cursor.next_link ?? '', {
      headers: { 'X-Auth-Token': '0123456789abcdef0123456789abcdef' },
    })
    expect(((await next.json()) as Paged).page_num).toBe(2)
    const refused = (path: string, given: string): Promise<Answer> => house.get(path, { cursor: given })
    expect((await refused('/decoytokens/search', cursor.next ?? '')).status).toBe(400)
    expect((await refused('/decoytokens/paginate', `x${cursor.next ?? ''}`)).status).toBe(400)
  })

  it('search finds by memo, id, host name and URL in any case, newest first, and by kind', async () => {
    // Texts with a space: the words of a URL are random, and may be any of these.
    let now = Date.now()
    const house = await openTestConsole({
      engine,
      world: { clock: { now: () => ++now, after: () => () => undefined } },
    })
    const wiki = await create(house, { memo: 'Wiki of the FINANCE team, 100% decoy' })
    const share = await create(house, { memo: 'File share_1' })
    const found = async (params: Params): Promise<string[]> => idsOf(await search(house, params))
    expect(await found({})).toEqual([share.decoytoken, wiki.decoytoken])
    expect(await found({ filter_str: 'finance team' })).toEqual([wiki.decoytoken])
    expect(await found({ filter_str: wiki.decoytoken.toUpperCase() })).toEqual([wiki.decoytoken])
    expect(await found({ filter_str: new URL(share.url).pathname })).toEqual([share.decoytoken])
    expect(await found({ filter_str: '100%' })).toEqual([wiki.decoytoken])
    expect(await found({ filter_str: 'e_1' })).toEqual([share.decoytoken])
    expect(await found({ filter_str: 'f%e' })).toEqual([])
    expect(await found({ kind: 'http', filter_str: 'file share' })).toEqual([share.decoytoken])
    expect(await search(house, { filter_str: 'nowhere' })).toMatchObject({
      tokens: [],
      page_number: 1,
      total_pages: 1,
      total_results: 0,
    })
    expect(said(await house.get('/decoytokens/search', { kind: 'abacus' }))).toEqual([
      400,
      'Supplied kind is not valid.',
    ])
    const first = await search(house, { limit: 1 })
    expect(first).toMatchObject({ page_number: 1, total_pages: 2, total_results: 2 })
    expect(await search(house, { cursor: first.cursor.next ?? '' })).toMatchObject({
      page_number: 2,
      total_results: 2,
      tokens: [{ decoytoken: wiki.decoytoken }],
    })
  })

  it('the kinds are listed, and a kind without a file has none to download', async () => {
    const house = await openTestConsole({ engine })
    expect((await house.get('/decoytokens/list')).json['decoytokens']).toMatchObject({ http: 'Web bug' })
    const { decoytoken } = await create(house)
    expect(said(await house.get('/decoytoken/download', { decoytoken }))).toEqual([
      400,
      'File generation not supported.',
    ])
    expect(said(await house.get('/decoytoken/download', { decoytoken: 'x'.repeat(25) }))).toEqual([
      404,
      'Could not find the decoytoken',
    ])
  })

  it('no list shows the key of the factory that created a token', async () => {
    const house = await openTestConsole({ engine })
    const { factory_auth = '' } = (
      await house.post('/decoytoken/create_factory', { flock_id: 'flock:default', memo: 'm' })
    ).json
    await house.post('/decoytoken/factory/create', { factory_auth, memo: 'm', kind: 'http' }, null)
    for (const [path, params] of [
      ['/decoytokens/paginate', {}],
      ['/decoytokens/search', {}],
      ['/decoytokens/fetch', { flock_id: 'flock:default' }],
    ] as const)
      expect((await house.get(path, params)).text).not.toContain(factory_auth)
  })
})
