import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin, subject } from '../../../test/touches.ts'

const TOKEN = 'k3x9'.repeat(6) + 'a'

const feed = ({ api }: TestConsole, state: 'all' | 'acknowledged' | 'unacknowledged', params = {}) =>
  api.incidentQueries[state](params)

describe.each(engines)('incident queries (%s)', (engine) => {
  it('list one incident with its events, as texts', async () => {
    const rookery = await openTestConsole({ engine })
    const at = Date.UTC(2026, 10, 20, 9, 39, 2)
    await rookery.console.ingest.fromConsole(sshLogin({}, at))
    await rookery.console.ingest.fromConsole(
      sshLogin({ fields: { USERNAME: 'admin', PASSWORD: '' } }, at + 1000),
    )
    const { incidents, max_updated_id } = await feed(rookery, 'unacknowledged', { tz: 'Europe/Berlin' })
    expect(incidents).toHaveLength(1)
    expect(incidents[0]?.updated_id).toBe(max_updated_id)
    expect(incidents[0]?.id).toMatch(/^incident:[a-z]+:[0-9a-f]{24}:192\.0\.2\.7:1795167542$/)
    expect(incidents[0]?.description).toMatchObject({
      acknowledged: 'False',
      created_std: '2026-11-20 10:39:02 UTC+0100',
      dst_port: '22',
      events_count: '2',
      events_list: '1795167542,1795167543',
      logtype: '4002',
      name: 'nas-02',
      events: [
        { timestamp: 1795167542, USERNAME: 'root', PASSWORD: 'toor' },
        { timestamp: 1795167543, USERNAME: 'admin', PASSWORD: '' },
      ],
    })
  })

  it('are listed after and before a time, in each form in which clients have one', async () => {
    const rookery = await openTestConsole({ engine })
    const at = Date.UTC(2026, 10, 20, 9, 39, 2)
    for (const [n, later] of [0, 400, 2_000].entries())
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }, at + later))
    const sources = async (params: object): Promise<unknown[]> =>
      (await feed(rookery, 'all', params)).incidents.map(({ description }) => description.src_host)
    for (const text of ['2026-11-20-09:39:02', '2026-11-20T10:39:02+01:00', '1795167542'])
      expect(await sources({ newer_than: text }), text).toEqual(['192.0.2.2'])
    for (const text of ['2026-11-20T09:39:02.100Z', '1795167542.1'])
      expect(await sources({ newer_than: text }), text).toEqual(['192.0.2.1', '192.0.2.2'])
    for (const text of ['2026-11-20-09:39:03', '2026-11-20T09:39:03Z', '1795167543'])
      expect(await sources({ older_than: text }), text).toEqual(['192.0.2.0', '192.0.2.1'])
    expect((await rookery.api.incidentQueries.search({ newer_than: '1795167542.1' })).total_results).toBe(2)
  })

  it('shrink equal events but count them all, and keep the newest under event_limit', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 5; n++) await rookery.console.ingest.fromConsole(sshLogin())
    await rookery.console.ingest.fromConsole(sshLogin({ fields: { USERNAME: 'last' } }))
    const [shrunk] = (await feed(rookery, 'all')).incidents
    expect(shrunk?.description.events).toHaveLength(2)
    expect(shrunk?.description['events_count']).toBe('6')
    const [whole] = (await feed(rookery, 'all', { shrink: 'false' })).incidents
    expect(whole?.description.events).toHaveLength(6)
    const [limited] = (await feed(rookery, 'all', { shrink: false, event_limit: 2 })).incidents
    expect(limited?.description.events.map((event) => event['USERNAME'])).toEqual(['root', 'last'])
  })

  it('apply event_limit to the events that shrink left', async () => {
    const rookery = await openTestConsole({ engine })
    const touches = ['first', 'second', 'third', 'third', 'third']
    for (const USERNAME of touches)
      await rookery.console.ingest.fromConsole(sshLogin({ fields: { USERNAME } }))
    const names = async (params: object): Promise<unknown[]> =>
      (await feed(rookery, 'all', params)).incidents[0]?.description.events.map((it) => it['USERNAME']) ?? []
    expect(await names({ event_limit: 2 })).toEqual(['second', 'third'])
    expect(await names({ event_limit: 2, shrink: false })).toEqual(['third', 'third'])
    expect(await names({ event_limit: 0 })).toEqual([])
    expect(await names({ event_limit: 9 })).toEqual(['first', 'second', 'third'])
  })

  it('go on from a cursor in the same form, unless the form is given again', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 6; n++)
      for (let times = 0; times < 3; times++)
        await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
    const form = { tz: 'Asia/Tokyo', shrink: false, event_limit: 2 }
    const shown = ({ incidents: [incident] }: Awaited<ReturnType<typeof feed>>) => [
      /UTC.*$/.exec(String(incident?.description.created_std))?.[0],
      incident?.description.events.length,
    ]
    const first = await feed(rookery, 'all', { ...form, limit: 2 })
    const second = await feed(rookery, 'all', { cursor: first.cursor.next ?? '' })
    expect([shown(first), shown(second)]).toEqual(Array(2).fill(['UTC+0900', 2]))
    const link = await fetch(`${first.cursor.next_link}`, { headers: { 'X-Auth-Token': ADMIN } })
    expect(shown((await link.json()) as Awaited<ReturnType<typeof feed>>)).toEqual(['UTC+0900', 2])
    expect(shown(await feed(rookery, 'all', { cursor: second.cursor.next ?? '' }))).toEqual(['UTC+0900', 2])
    const other = { tz: 'Europe/London', event_limit: 3 }
    expect(shown(await feed(rookery, 'all', { ...other, cursor: first.cursor.next ?? '' }))[1]).toBe(3)
    expect(shown(await feed(rookery, 'all', { shrink: true, cursor: first.cursor.next ?? '' }))).toEqual([
      'UTC+0900',
      1,
    ])
  })

  it.each([
    ['everything', {}],
    ['one Bird', { node_id: '0123456789abcdef' }],
    ['one token', { node_id: TOKEN }],
  ])('page forward and back without repeating or skipping, over both states: %s', async (_, which) => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 25; n++) {
      const srcHost = `192.0.2.${n}`
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost }))
      const ofToken = { ...subject, memo: 'passwords.docx' }
      await rookery.console.ingest.fromConsole({ ...sshLogin({ srcHost, nodeId: TOKEN }), subject: ofToken })
    }
    const all = (await feed(rookery, 'all')).incidents
    const whole = (await feed(rookery, 'all', which)).incidents.map(({ id }) => id)
    const isMeant = ({ description }: (typeof all)[number]): boolean =>
      !('node_id' in which) || description['node_id'] === which.node_id
    expect(whole).toEqual(all.filter(isMeant).map(({ id }) => id))
    for (const id of whole.slice(3, 9)) await rookery.api.incidentActions.acknowledge({ incident: id })

    const forward: string[] = []
    let page = await feed(rookery, 'all', { ...which, limit: 10 })
    expect(page.cursor['prev']).toBeNull()
    for (;;) {
      forward.push(...page.incidents.map(({ id }) => id))
      if (page.cursor['next'] === null) break
      page = await feed(rookery, 'all', { cursor: page.cursor['next'] ?? '' })
    }
    expect(forward).toEqual(whole)
    const last = whole.length - page.incidents.length
    const back = await feed(rookery, 'all', { cursor: page.cursor['prev'] ?? '' })
    expect(back.incidents.map(({ id }) => id)).toEqual(whole.slice(last - 10, last))
    const open = (await feed(rookery, 'unacknowledged', which)).incidents.map(({ id }) => id)
    expect(open).toEqual([...whole.slice(0, 3), ...whole.slice(9)])
  })

  it('refuse a forged cursor and the cursor of another list', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 3; n++)
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
    const { cursor } = await feed(rookery, 'all', { limit: 1 })
    const forged = `${cursor['next']?.slice(0, -3)}abc`
    expect((await rookery.get('/incidents/all', { cursor: forged })).status).toBe(400)
    expect((await rookery.get('/incidents/acknowledged', { cursor: cursor['next'] ?? '' })).status).toBe(400)
  })

  it('poll by updated_id: only what changed since, in the order of change', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 4; n++)
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
    const first = await feed(rookery, 'all', { incidents_since: 0 })
    const since = first.max_updated_id ?? 0
    expect((await feed(rookery, 'all', { incidents_since: since })).incidents).toEqual([])
    expect((await feed(rookery, 'all', { incidents_since: since })).max_updated_id).toBeUndefined()
    await rookery.api.incidentActions.acknowledge({ incident: first.incidents[1]?.id ?? '' })
    await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.0' }))
    const changed = await feed(rookery, 'all', { incidents_since: since })
    expect(changed.incidents.map(({ description }) => description['src_host'])).toEqual([
      '192.0.2.1',
      '192.0.2.0',
    ])
  })

  it('poll one Flock or state by updated_id in pages, forward and back, across numbers that leap', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 9; n++) {
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
      // As a restored database does.
      if (n === 4) await rookery.console.base.writer.write((tx) => tx.updatedIds(3_000_000))
    }
    const flock = { flock_id: 'flock:default', incidents_since: 1 }
    const whole = (await feed(rookery, 'unacknowledged', flock)).incidents.map(({ id }) => id)
    expect(whole).toHaveLength(8)
    const pages: string[][] = []
    let page = await feed(rookery, 'unacknowledged', { ...flock, limit: 3 })
    for (;;) {
      pages.push(page.incidents.map(({ id }) => id))
      if (page.cursor['next'] === null) break
      page = await feed(rookery, 'unacknowledged', { cursor: page.cursor['next'] ?? '' })
    }
    expect(pages.flat()).toEqual(whole)
    const back = await feed(rookery, 'unacknowledged', { cursor: page.cursor['prev'] ?? '' })
    expect(back.incidents.map(({ id }) => id)).toEqual(pages.at(-2))
    expect((await feed(rookery, 'all', { flock_id: 'flock:none', incidents_since: 0 })).incidents).toEqual([])
  })

  it('poll deletions, too, where they are asked for, in the order of change and in pages', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 6; n++)
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
    const { incidents, max_updated_id: since = 0 } = await feed(rookery, 'all', { incidents_since: 0 })
    const ids = incidents.map(({ id }) => id)
    for (const n of [4, 2, 0]) {
      await rookery.api.incidentActions.acknowledge({ incident: ids[n] ?? '' })
      if (n !== 2) await rookery.post('/incident/delete', { incident: ids[n] ?? '' })
    }
    const seen = ({ incidents: rows }: { incidents: readonly { id: string; deleted?: boolean }[] }) =>
      rows.map(({ id, deleted }) => [ids.indexOf(id), deleted === true])
    const poll = { incidents_since: since, with_deleted: true }
    const changed = [
      [4, true],
      [2, false],
      [0, true],
    ]
    expect(seen(await feed(rookery, 'all', poll))).toEqual(changed)
    expect(seen(await feed(rookery, 'all', { incidents_since: since }))).toEqual([[2, false]])
    const first = await feed(rookery, 'all', { ...poll, limit: 2 })
    const second = await feed(rookery, 'all', { cursor: first.cursor['next'] ?? '' })
    expect([...seen(first), ...seen(second)]).toEqual(changed)
    const back = await feed(rookery, 'all', { cursor: second.cursor['prev'] ?? '' })
    expect(seen(back)).toEqual(changed.slice(0, 2))
    const { status, json } = await rookery.get('/incidents/all', { with_deleted: true })
    expect([status, Object.keys(json['details'] ?? {})]).toEqual([400, ['with_deleted']])
  })

  it('search by text, newest first, with totals and sources', async () => {
    const rookery = await openTestConsole({ engine })
    const now = Date.now()
    for (let n = 0; n < 6; n++) {
      await rookery.console.ingest.fromConsole(
        sshLogin({ srcHost: `192.0.2.${n % 3}`, instance: `ssh_${n}` }, now + n),
      )
    }
    const found = await rookery.api.incidentQueries.search({ filter_str: '192.0.2.1', limit: 1 })
    expect(found).toMatchObject({
      page_number: 1,
      total_pages: 2,
      total_results: 2,
      incident_source_counts: { '192.0.2.1': 2 },
      incidents: [
        {
          src_host: '192.0.2.1',
          updated: 'True',
          previously_seen_count: 1,
          logdata: [{ USERNAME: 'root' }],
          events_list_printable: expect.stringMatching(/^\w{3} .* \(UTC\)$/) as string,
        },
      ],
    })
    const wild = await rookery.api.incidentQueries.search({ filter_str: '%' })
    expect(wild).toMatchObject({ total_results: 0, total_pages: 1, page_number: 1, incidents: [] })
  })

  it('search gives no cursor that it does not take', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 2; n++)
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
    const search = (params: Record<string, string>) => rookery.get('/incidents/search', params)
    const numbers = Array.from({ length: 600 }, (_, n) => String(1_000 + n))
    // As JSON, quotes and backslashes take twice the room.
    const entry = fc.string({ unit: fc.constantFrom('"', '\\', '1', '2'), minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 1_500, size: 'max' }), async (entries) => {
        const list = ['4002', ...entries].join(',').slice(0, 4_096)
        const { status, json } = await search({ filter_logtypes: list, limit: '1' })
        if (status === 400) return expect(Object.keys(json['details'] ?? {})).toEqual(['filter_logtypes'])
        const { next } = json['cursor'] as unknown as { next: string }
        expect((await search({ cursor: next })).status).toBe(200)
      }),
      { numRuns: 20, examples: [[numbers]] },
    )
    const long = { filter_str: '\u0001'.repeat(1_000), filter_logtypes: numbers.join(',') }
    expect((await search(long)).status).toBe(400)
  })

  it('search finds the name of a Bird, the memo of a token, and the name of a source once it is known', async () => {
    const resolver = {
      reverse: () => Promise.resolve(['Scanner.Example']),
      addresses: () => Promise.resolve([]),
    }
    const rookery = await openTestConsole({ engine, world: { resolver } })
    await rookery.console.ingest.fromConsole(sshLogin())
    const token = { ...subject, name: 'N/A', memo: 'Payroll Q3, 100%_sure' }
    await rookery.console.ingest.fromConsole({
      ...sshLogin({ nodeId: TOKEN, logtype: '17000' }),
      subject: token,
    })
    const found = async (filter_str: string): Promise<string[]> => {
      const { incidents } = await rookery.api.incidentQueries.search({ filter_str })
      return incidents.map(({ node_id }) => node_id)
    }
    expect(await found('NAS-0')).toEqual(['0123456789abcdef'])
    expect(await found('payroll')).toEqual([TOKEN])
    expect(await found('%_S')).toEqual([TOKEN])
    expect(await found('N/A')).toEqual([])
    await expect.poll(() => found('scanner.')).toEqual(['0123456789abcdef'])
  })

  it('fetch one by key or hash id, with every field on demand', async () => {
    const rookery = await openTestConsole({ engine })
    await rookery.console.ingest.fromConsole(sshLogin())
    const [listed] = (await feed(rookery, 'all')).incidents
    const byKey = await rookery.api.incidentQueries.fetch({ incident: listed?.id ?? '' })
    const byHash = await rookery.api.incidentQueries.fetch({ hash_id: listed?.hash_id ?? '' })
    expect(byKey).toEqual(byHash)
    expect(byKey['incident']).toMatchObject({
      id: listed?.id,
      events_count: '1',
      events: [{ USERNAME: 'root' }],
    })
    const extended = await rookery.api.incidentQueries.fetch({
      incident: listed?.id ?? '',
      extended_details: true,
    })
    expect(extended['incident']).toMatchObject({ hash_id: listed?.hash_id, flock_name: 'Default Flock' })
    const missing = await rookery.get('/incident/fetch', { incident: 'incident:none' })
    expect([missing.status, missing.json['message']]).toEqual([404, 'Incident not found'])
    expect((await rookery.get('/incident/fetch')).status).toBe(400)
  })

  it('fetch every field of the other two forms with extended_details', async () => {
    const rookery = await openTestConsole({ engine })
    await rookery.console.ingest.fromConsole(sshLogin())
    const search = await rookery.api.incidentQueries.search()
    const [found] = search.incidents
    const [listed] = (await feed(rookery, 'all')).incidents
    const { incident } = await rookery.api.incidentQueries.fetch({
      incident: found?.key ?? '',
      extended_details: true,
    })
    const fields = [
      ...Object.keys(found ?? {}),
      ...Object.keys(listed ?? {}),
      ...Object.keys(listed?.description ?? {}),
    ]
    expect(Object.keys(incident)).toEqual(expect.arrayContaining(fields))
  })

  it('keep the totals of a search for its next pages', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 7; n++)
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
    const seen: string[] = []
    let page = await rookery.api.incidentQueries.search({ filter_str: '192', limit: 3 })
    const first = page.incidents.map(({ key }) => key)
    for (let at = 1; ; at++) {
      expect(page).toMatchObject({ page_number: at, total_pages: 3, total_results: 7 })
      seen.push(...page.incidents.map(({ key }) => key))
      if (page.cursor.next === null) break
      page = await rookery.api.incidentQueries.search({ cursor: page.cursor.next })
    }
    expect(new Set(seen).size).toBe(7)
    const middle = await rookery.api.incidentQueries.search({ cursor: page.cursor.prev ?? '' })
    const back = await rookery.api.incidentQueries.search({ cursor: middle.cursor.prev ?? '' })
    expect(back.incidents.map(({ key }) => key)).toEqual(first)
  })

  it('tell what a source did, deleted incidents too, within a Flock', async () => {
    const rookery = await openTestConsole({ engine })
    for (const srcHost of ['192.0.2.1', '192.0.2.1', '192.0.2.10', '2001:db8::1']) {
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost, instance: `ssh_${srcHost}` }))
      await rookery.api.incidentActions.acknowledgeMany({ older_than: '0h' })
    }
    await rookery.api.incidentActions.removeMany({ src_host: '192.0.2.1' })
    const history = async (params: Record<string, string>): Promise<boolean[]> => {
      const { incidents } = await rookery.api.incidentQueries.sourceHistory(params)
      return incidents.map(({ deleted }) => deleted)
    }
    expect(await history({ src_ip: '192.0.2.1' })).toEqual([true, true])
    expect(await history({ src_ip: '2001:db8::1', flock_id: 'flock:default' })).toEqual([false])
    expect(await history({ src_ip: '192.0.2.1', flock_id: 'flock:none' })).toEqual([])
    expect(await history({})).toHaveLength(4)
    expect(await history({ src_ip: '2001:DB8:0:0::1' })).toEqual([false])
    for (const src_ip of ['192.0.2', 'nobody', '192.0.2.0/24', '192.0.2.1:22']) {
      const { status, json } = await rookery.get('/incidents/history/source', { src_ip })
      expect([src_ip, status, Object.keys(json['details'] ?? {})]).toEqual([src_ip, 400, ['src_ip']])
    }
  })

  it('tell all that a source did, the newest thousand first and older ones by cursor', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const srcHost = '192.0.2.1'
    const raise = (n: number) =>
      rookery.console.ingest.fromConsole(sshLogin({ srcHost, instance: `ssh_${n}` }, clock.now()))
    // Of more than 200 a minute, the others would share an incident.
    for (let from = 0; from < 1_003; from += 200) {
      clock.advance(60_000)
      const to = Math.min(from + 200, 1_003)
      await Promise.all(Array.from({ length: to - from }, (_, n) => raise(from + n)))
    }
    const newer = await rookery.api.incidentQueries.sourceHistory({ src_ip: srcHost })
    const older = await rookery.api.incidentQueries.sourceHistory({ cursor: newer.cursor.next ?? '' })
    expect([newer.incidents.length, older.incidents.length, older.cursor.next]).toEqual([1_000, 3, null])
    const all = [...older.incidents, ...newer.incidents]
    expect(new Set(all.map(({ key }) => key)).size).toBe(1_003)
    expect(all.map(({ created }) => created)).toEqual(all.map(({ created }) => created).sort())
    expect((await rookery.get('/incidents/all', { cursor: newer.cursor.next ?? '' })).status).toBe(400)
  })

  it('refuse a wrong time zone and a wrong time', async () => {
    const rookery = await openTestConsole({ engine })
    expect((await rookery.get('/incidents/all', { tz: 'Mars/Olympus' })).status).toBe(400)
    const wrong = await rookery.get('/incidents/all', { older_than: 'yesterday' })
    expect([wrong.status, wrong.json['message']]).toEqual([400, 'Parameter older_than was invalid.'])
  })
})
