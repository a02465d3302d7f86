import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  engines,
  openTestConsole,
  sharedTestConsole,
  type Answer,
  type TestConsole,
  type Params,
} from '../../../test/test-console.ts'

type Given = Partial<Parameters<TestConsole['api']['tokens']['create']>[0]>

const create = async (rookery: TestConsole, params: Given = {}) =>
  (await rookery.api.tokens.create({ memo: 'On the file server', kind: 'http', ...params })).decoytoken
const makeFlock = async (rookery: TestConsole, name = 'Berlin'): Promise<string> =>
  (await rookery.api.flocks.create({ name })).flock_id
const paginate = (rookery: TestConsole, params: Params = {}) => rookery.api.tokens.paginate(params)
const search = (rookery: TestConsole, params: Params) => rookery.api.tokens.search(params)
const idsOf = ({ tokens }: { readonly tokens: readonly { readonly decoytoken: string }[] }): string[] =>
  tokens.map((it) => it.decoytoken)
const incidents = async (rookery: TestConsole) => (await rookery.api.incidentQueries.all()).incidents
const said = ({ status, json }: Answer): unknown[] => [status, json['message']]

/** Opens the token's URL. Another agent is another visitor: requests of one visitor within 10 s are one visit. */
const touch = (url: string, agent: string): Promise<Response> =>
  fetch(url, { headers: { 'User-Agent': agent, Accept: '*/*' } })

describe.each(engines)('tokens (%s)', (engine) => {
  const rookery = sharedTestConsole({ engine })

  it('an admin creates one in a chosen Flock; it fires, and its record shows how often', async () => {
    const flock_id = await makeFlock(rookery)
    const token = await create(rookery, { flock_id })
    expect(token.flock_id).toBe(flock_id)
    expect(token).not.toHaveProperty('factory_auth')
    expect((await create(rookery)).flock_id).toBe('flock:default')
    expect((await touch(token.url, 'one')).status).toBe(200)
    expect((await touch(token.url, 'two')).status).toBe(200)
    const { token: read } = await rookery.api.tokens.fetch({ decoytoken: token.decoytoken })
    expect(read).toEqual({
      ...token,
      triggered_count: 2,
      last_triggered: expect.any(Number) as number,
      updated_id: expect.any(Number) as number,
    })
    expect(read.updated_id).toBeGreaterThan(token.updated_id)
  })

  it('a request that is wrong is refused, with the reason', async () => {
    const refused = async (params: Params): Promise<unknown[]> =>
      said(await rookery.post('/decoytoken/create', { memo: 'm', kind: 'http', ...params }))
    for (const memo of ['', ' ', '\n\t']) expect(await refused({ memo })).toEqual([400, 'Empty memo'])
    const changed = await create(rookery)
    expect(
      said(await rookery.post('/decoytoken/update', { decoytoken: changed.decoytoken, memo: ' ' })),
    ).toEqual([400, 'Empty memo'])
    expect(await refused({ memo: 'é'.repeat(10_001) })).toEqual([
      400,
      'Memo longer than maximum (10000 characters).',
    ])
    const longest = await rookery.api.tokens.create({ memo: 'é'.repeat(10_000), kind: 'http' })
    expect(longest.decoytoken.memo).toHaveLength(10_000)
    expect(await refused({ kind: 'abacus' })).toEqual([400, 'Supplied kind is not valid.'])
    expect(await refused({ kind: 'k'.repeat(65) })).toEqual([400, 'Supplied kind is not valid.'])
    expect(await refused({ flock_id: 'flock:none' })).toEqual([404, 'Flock does not exist.'])
    expect(await refused({ custom_domain: 'a b' })).toEqual([400, 'Parameter custom_domain was invalid.'])
  })

  it('changes the memo, which the next incident shows, and the settings, which the next visitor sees', async () => {
    const token = await create(rookery)
    const { decoytoken } = token
    const page = (await fetch(token.url, { headers: { Accept: 'text/html' } })).headers.get('content-type')
    expect(page).toMatch('text/html')

    const changed = (
      await rookery.api.tokens.update({
        decoytoken,
        memo: 'In the vault',
        browser_scanner_enabled: false,
      })
    ).decoytoken
    expect(changed).toMatchObject({ decoytoken, memo: 'In the vault', url: token.url })
    expect(changed.updated_id).toBeGreaterThan(token.updated_id)
    const image = await fetch(token.url, { headers: { Accept: 'text/html', 'User-Agent': 'another' } })
    expect(image.headers.get('content-type')).toBe('image/gif')
    await rookery.api.incidentActions.acknowledgeMany({ older_than: '0h' })
    await touch(token.url, 'a third')
    const { incidents: open } = await rookery.api.incidentQueries.unacknowledged()
    expect(open.map((it) => it.description.memo)).toEqual(['In the vault'])

    // What is not given stays.
    const again = (await rookery.api.tokens.update({ decoytoken, memo: 'Under the mat' })).decoytoken
    expect(again.memo).toBe('Under the mat')
    const still = await fetch(token.url, { headers: { Accept: 'text/html', 'User-Agent': 'fourth' } })
    expect(still.headers.get('content-type')).toBe('image/gif')
  })

  it('an update that names nothing, or nothing that the kind has, is refused', async () => {
    const { decoytoken } = await create(rookery)
    const refused = async (params: Params): Promise<unknown[]> => {
      const { status, json } = await rookery.post('/decoytoken/update', { decoytoken, ...params })
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
    const rookery = await openTestConsole({ engine })
    const { decoytoken, url } = await create(rookery)
    expect((await rookery.api.tokens.disable({ decoytoken })).decoytoken.enabled).toBe(false)
    const quiet = await touch(url, 'one')
    expect([quiet.status, quiet.headers.get('content-type')]).toEqual([200, 'image/gif'])
    expect(await incidents(rookery)).toEqual([])
    expect((await rookery.api.tokens.enable({ decoytoken })).decoytoken.enabled).toBe(true)
    // The same visitor, within ten seconds: a touch that was not counted does not begin a visit.
    await touch(url, 'one')
    expect(await incidents(rookery)).toHaveLength(1)
  })

  it('a deleted token answers like an id that never existed and raises nothing; its incidents stay', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken, url } = await create(rookery)
    await touch(url, 'one')
    const gone = (await rookery.api.tokens.remove({ decoytoken })).decoytoken
    expect(gone).toMatchObject({ decoytoken, triggered_count: 1 })
    const late = await touch(url, 'two')
    const noise = await touch(url.replace(decoytoken, 'x'.repeat(25)), 'three')
    expect([late.status, await late.text()]).toEqual([noise.status, await noise.text()])
    await rookery.restart()
    await touch(new URL(new URL(url).pathname, rookery.console.tokensUrl).href, 'four')
    expect(await incidents(rookery)).toHaveLength(1)
    for (const ask of [
      rookery.get('/decoytoken/fetch', { decoytoken }),
      rookery.post('/decoytoken/delete', { decoytoken }),
      rookery.post('/decoytoken/enable', { decoytoken }),
    ])
      expect(said(await ask)).toEqual([404, 'Could not find the decoytoken'])
    expect(idsOf(await paginate(rookery))).toEqual([])
  })

  it('several are deleted together; when one id is unknown it is named, and none is deleted', async () => {
    const rookery = await openTestConsole({ engine })
    const ids = (await Promise.all([1, 2, 3].map(() => create(rookery)))).map((it) => it.decoytoken)
    const [first = '', second = '', third = ''] = ids
    const wrong = 'w'.repeat(25)
    const refused = await rookery.call('DELETE', '/decoytokens/delete', {
      decoytokens: `${first},${wrong},${second}`,
    })
    expect([refused.status, refused.json['message'], refused.json['details']]).toEqual([
      404,
      `Could not find the decoytoken: ${wrong}`,
      { decoytokens: `names ${wrong}, which does not exist` },
    ])
    expect((await paginate(rookery)).tokens).toHaveLength(3)
    const removed = await rookery.api.tokens.removeMany({
      decoytokens: ` ${first}, ${second},${first},`,
    })
    expect(removed.decoytokens).toEqual([first, second])
    expect(idsOf(await paginate(rookery))).toEqual([third])
    expect(said(await rookery.post('/decoytokens/delete', { decoytokens: ' , ' }))).toEqual([
      400,
      'Empty decoytokens',
    ])
  })

  it('each change leaves a row in the audit trail that names the token and its Flock', async () => {
    const rookery = await openTestConsole({ engine })
    const flock_id = await makeFlock(rookery)
    const [one, two] = [await create(rookery, { flock_id }), await create(rookery, { flock_id })]
    const { decoytoken } = one
    await rookery.api.tokens.update({ decoytoken, memo: 'Under the mat' })
    await rookery.api.tokens.disable({ decoytoken })
    await rookery.api.tokens.removeMany({ decoytokens: `${decoytoken},${two.decoytoken}` })
    const answer = await rookery.api.auditTrail.fetch()
    const rows = answer.audit_trail.filter((row) => row['action_type']?.startsWith('tokens.'))
    expect(new Map(rows.map((row) => [row['action_type'], row['flock_name']]))).toEqual(
      new Map(['create', 'update', 'disable', 'remove_many'].map((name) => [`tokens.${name}`, 'Berlin'])),
    )
    for (const row of rows) expect(row['message']).toMatch(new RegExp(`${decoytoken}|${two.decoytoken}`))
  })

  it('a Flock can be deleted once its last token is deleted', async () => {
    const flock_id = await makeFlock(rookery)
    const { decoytoken } = await create(rookery, { flock_id })
    expect((await rookery.post('/flock/delete', { flock_id })).status).toBe(409)
    await rookery.api.tokens.remove({ decoytoken })
    expect((await rookery.post('/flock/delete', { flock_id })).status).toBe(200)
  })

  it('every token of a Flock is listed, however many there are', async () => {
    const rookery = await openTestConsole({ engine })
    const flock_id = await makeFlock(rookery)
    const made = await Promise.all(Array.from({ length: 260 }, () => create(rookery, { flock_id })))
    const other = await create(rookery)
    const listed = await rookery.api.tokens.ofFlock({ flock_id })
    expect(idsOf(listed).sort()).toEqual(made.map((it) => it.decoytoken).sort())
    expect(listed.tokens.find((it) => it.decoytoken === made[0]?.decoytoken)).toEqual(made[0])
    expect((await rookery.get('/decoytokens/fetch', { flock_id: 'flock:none' })).status).toBe(404)
    const everywhere = await rookery.api.tokens.ofFlock({})
    expect(idsOf(everywhere).sort()).toEqual([...idsOf(listed), other.decoytoken].sort())
    expect(everywhere.tokens.find((it) => it.decoytoken === other.decoytoken)).toMatchObject({
      node_id: other.decoytoken,
    })
  })

  it('pages of any size show each token once, in the order of creation, forwards and back', async () => {
    let now = Date.UTC(2026, 3, 14)
    const rookery = await openTestConsole({
      engine,
      world: { clock: { now: () => now, after: () => () => undefined } },
    })
    const made: string[] = []
    // Three tokens of one moment, three of the next.
    for (let at = 0; at < 12; at++) {
      if (at % 3 === 0) now += 1_000
      made.push((await create(rookery)).decoytoken)
    }
    const whole = idsOf(await paginate(rookery))
    expect([...whole].sort()).toEqual([...made].sort())
    for (let at = 0; at < 12; at += 3)
      expect(whole.slice(at, at + 3).sort()).toEqual(made.slice(at, at + 3).sort())

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 13 }), async (limit) => {
        const pages = [await paginate(rookery, { limit })]
        for (let next = pages[0]?.cursor.next; next; next = pages.at(-1)?.cursor.next)
          pages.push(await paginate(rookery, { cursor: next }))
        expect(pages.flatMap(idsOf)).toEqual(whole)
        expect(pages.map((it) => [it.page_num, it.page_total])).toEqual(
          pages.map((_, at) => [at + 1, Math.ceil(12 / limit)]),
        )
        const shown = pages.slice(-1)
        for (let prev = shown[0]?.cursor.prev; prev; prev = shown[0]?.cursor.prev)
          shown.unshift(await paginate(rookery, { cursor: prev }))
        expect(shown.flatMap(idsOf)).toEqual(whole)
        expect(shown[0]?.page_num).toBe(1)
      }),
      { numRuns: 6 },
    )
  })

  it('a token created or deleted between two pages makes none appear twice or be left out', async () => {
    let now = Date.now()
    const rookery = await openTestConsole({
      engine,
      world: { clock: { now: () => ++now, after: () => () => undefined } },
    })
    const made: string[] = []
    for (let at = 0; at < 6; at++) made.push((await create(rookery)).decoytoken)
    const first = await paginate(rookery, { limit: 2 })
    await rookery.api.tokens.remove({ decoytoken: made[1] ?? '' })
    await create(rookery)
    const second = await paginate(rookery, { cursor: first.cursor.next ?? '' })
    expect([...idsOf(first), ...idsOf(second)]).toEqual(made.slice(0, 4))
  })

  it('a link leads to the next page; a forged cursor, or one of another list, is a 400', async () => {
    await create(rookery)
    await create(rookery)
    const { cursor } = await paginate(rookery, { limit: 1 })
    const next = await fetch(cursor.next_link ?? '', {
      headers: { 'X-Auth-Token': '0123456789abcdef0123456789abcdef' },
    })
    expect(((await next.json()) as { page_num: number }).page_num).toBe(2)
    const refused = (path: string, given: string): Promise<Answer> => rookery.get(path, { cursor: given })
    expect((await refused('/decoytokens/search', cursor.next ?? '')).status).toBe(400)
    expect((await refused('/decoytokens/paginate', `x${cursor.next ?? ''}`)).status).toBe(400)
  })

  it('search finds by memo, id, host name and URL in any case, newest first, and by kind', async () => {
    // Texts with a space: the words of a URL are random, and may be any of these.
    let now = Date.now()
    const rookery = await openTestConsole({
      engine,
      world: { clock: { now: () => ++now, after: () => () => undefined } },
    })
    const wiki = await create(rookery, { memo: 'Wiki of the FINANCE team, 100% decoy' })
    const share = await create(rookery, { memo: 'File share_1' })
    const found = async (params: Params): Promise<string[]> => idsOf(await search(rookery, params))
    expect(await found({})).toEqual([share.decoytoken, wiki.decoytoken])
    expect(await found({ filter_str: 'finance team' })).toEqual([wiki.decoytoken])
    expect(await found({ filter_str: wiki.decoytoken.toUpperCase() })).toEqual([wiki.decoytoken])
    expect(await found({ filter_str: new URL(share.url).pathname })).toEqual([share.decoytoken])
    expect(await found({ filter_str: '100%' })).toEqual([wiki.decoytoken])
    expect(await found({ filter_str: 'e_1' })).toEqual([share.decoytoken])
    expect(await found({ filter_str: 'f%e' })).toEqual([])
    expect(await found({ kind: 'http', filter_str: 'file share' })).toEqual([share.decoytoken])
    expect(await search(rookery, { filter_str: 'nowhere' })).toMatchObject({
      tokens: [],
      page_number: 1,
      total_pages: 1,
      total_results: 0,
    })
    expect(said(await rookery.get('/decoytokens/search', { kind: 'abacus' }))).toEqual([
      400,
      'Supplied kind is not valid.',
    ])
    const first = await search(rookery, { limit: 1 })
    expect(first).toMatchObject({ page_number: 1, total_pages: 2, total_results: 2 })
    expect(await search(rookery, { cursor: first.cursor.next ?? '' })).toMatchObject({
      page_number: 2,
      total_results: 2,
      tokens: [{ decoytoken: wiki.decoytoken }],
    })
  })

  it('the kinds are listed, and a kind without a file has none to download', async () => {
    expect((await rookery.api.tokens.kinds()).decoytokens).toMatchObject({ http: 'Web bug' })
    const { decoytoken } = await create(rookery)
    expect(said(await rookery.get('/decoytoken/download', { decoytoken }))).toEqual([
      400,
      'File generation not supported.',
    ])
    expect(said(await rookery.get('/decoytoken/download', { decoytoken: 'x'.repeat(25) }))).toEqual([
      404,
      'Could not find the decoytoken',
    ])
  })

  it('no list shows the key of the factory that created a token', async () => {
    const { factory_auth = '' } = await rookery.api.tokenFactory.createFactory({
      flock_id: 'flock:default',
      memo: 'm',
    })
    await rookery.apiAs('').tokenFactory.create({ factory_auth, memo: 'm', kind: 'http' })
    for (const [path, params] of [
      ['/decoytokens/paginate', {}],
      ['/decoytokens/search', {}],
      ['/decoytokens/fetch', { flock_id: 'flock:default' }],
    ] as const)
      expect((await rookery.get(path, params)).text).not.toContain(factory_auth)
  })
})
