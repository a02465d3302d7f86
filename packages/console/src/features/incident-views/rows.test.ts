// Rows against a model that is kept in memory, and a page that lives on changes alone.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IncidentRow } from '@rookery/contract/groups/incident-views.ts'
import { readCsv } from '@rookery/kernel/csv/read.ts'
import { sized } from '@rookery/kernel/test/size.ts'
import { registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { flockKey } from '../../../test/read-only-key.ts'
import { sshLogin, subject } from '../../../test/touches.ts'

const START = Date.UTC(2026, 10, 20)
const FLOCKS = ['flock:default', 'B', 'C'] as const
const SOURCES = ['10.0.0.1', '10.0.1.9', '10.9.0.1', '192.0.2.7', '2001:db8::7']
const NODES = ['0123456789abcdef', 'fedcba9876543210']
/** Looked, tried and used. */
const LOGTYPES = { '3000': 'looked', '4002': 'tried', '5000': 'used' } as Record<string, string>

/** What filters ask of an incident; `hash` is learned when it is first listed. */
interface Model {
  readonly at: number
  readonly flock: number
  readonly source: string
  readonly node: string
  readonly logtype: string
  readonly user: string
  isAcknowledged: boolean
  isDeleted: boolean
}

const touch = fc.record({
  flock: fc.nat(2),
  source: fc.constantFrom(...SOURCES),
  node: fc.constantFrom(...NODES),
  logtype: fc.constantFrom(...Object.keys(LOGTYPES)),
  user: fc.constantFrom('root', 'admin'),
})

const within: Record<string, (source: string) => boolean> = {
  '10.0.0.0/23': (it) => /^10\.0\.[01]\./.test(it),
  '10.0.0.0/8': (it) => it.startsWith('10.'),
  '192.0.2.4/30': (it) => it === '192.0.2.7',
  '192.0.2.8/29': () => false,
  '2001:DB8:0::7': (it) => it === '2001:db8::7',
  '10.0.0.1': (it) => it === '10.0.0.1',
}

const filters = {
  state: fc.constantFrom('open', 'acknowledged', 'all'),
  level: fc.constantFrom('used', 'tried,looked', 'house', 'looked, used'),
  flock: fc.nat(2),
  node: fc.constantFrom(...NODES),
  source: fc.constantFrom(...Object.keys(within)),
  logtype: fc.constantFrom('3000', '4002'),
  text: fc.constantFrom('SSH', '0.9.0', '::7'),
  newerThan: fc.nat(40),
  olderThan: fc.nat(40),
}
/** At most two at a time, or nothing would match. */
const filter = fc
  .subarray(Object.keys(filters) as (keyof typeof filters)[], { maxLength: 2 })
  .chain((names) => fc.record(filters, { requiredKeys: names }).map((all) => pick(all, names)))

const pick = <T extends object>(all: T, names: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, all[name]])) as Partial<T>

type Filter = typeof filter extends fc.Arbitrary<infer F> ? F : never

const action = fc.record({
  kind: fc.constantFrom('raise', 'raise', 'acknowledge', 'unacknowledge', 'delete', 'again'),
  touch,
  which: fc.nat(),
})

const minute = (n: number): number => START + n * 60_000

function matches(it: Model, f: Filter, scope: readonly number[]): boolean {
  if (it.isDeleted || !scope.includes(it.flock)) return false
  const state = f.state ?? 'open'
  if (state !== 'all' && it.isAcknowledged !== (state === 'acknowledged')) return false
  if (f.level !== undefined && !f.level.split(/[, ]+/).includes(LOGTYPES[it.logtype] ?? '')) return false
  if (f.flock !== undefined && it.flock !== f.flock) return false
  if (f.node !== undefined && it.node !== f.node) return false
  if (f.source !== undefined && !within[f.source]?.(it.source)) return false
  if (f.logtype !== undefined && it.logtype !== f.logtype) return false
  if (f.newerThan !== undefined && it.at < minute(f.newerThan) + 1_000) return false
  if (f.olderThan !== undefined && it.at >= minute(f.olderThan)) return false
  if (f.text === 'SSH') return it.logtype === '4002'
  return f.text === undefined || it.source.includes(f.text)
}

const query = (f: Filter, flocks: readonly string[]) => ({
  ...(f.state !== undefined && { state: f.state as 'open' }),
  ...(f.level !== undefined && { level: f.level }),
  ...(f.flock !== undefined && { flock_id: flocks[f.flock] ?? '' }),
  ...(f.node !== undefined && { node_id: f.node }),
  ...(f.source !== undefined && { source: f.source }),
  ...(f.logtype !== undefined && { logtype: f.logtype }),
  ...(f.text !== undefined && { filter_str: f.text }),
  ...(f.newerThan !== undefined && { newer_than: new Date(minute(f.newerThan)).toISOString() }),
  ...(f.olderThan !== undefined && { older_than: new Date(minute(f.olderThan)).toISOString() }),
})

interface Bed {
  readonly rookery: TestConsole
  readonly flocks: readonly string[]
  readonly limitedKey: string
  readonly model: Model[]
  readonly hashes: string[]
}

async function openBed(engine: (typeof engines)[number]): Promise<Bed> {
  const rookery = await openTestConsole({ engine })
  const ids = ['flock:default']
  for (const name of FLOCKS.slice(1)) ids.push((await rookery.api.flocks.create({ name })).flock_id)
  const { key: limitedKey } = await flockKey(rookery, ids[1] ?? '')
  // Incidents of the console's own changes.
  await rookery.api.incidentActions.removeMany({ older_than: '0h', include_unacknowledged: true })
  return { rookery, flocks: ids, limitedKey, model: [], hashes: [] }
}

/** Each touch has a minute of its own, and so an incident of its own: its place in the model. */
async function act(
  bed: Bed,
  { kind, touch: it, which }: typeof action extends fc.Arbitrary<infer A> ? A : never,
) {
  const { rookery, model, hashes, flocks } = bed
  const nth = which % Math.max(1, model.length)
  const old = model[nth]
  if (kind === 'raise' || !old) {
    const at = minute(model.length) + 30_000
    model.push({ at, ...it, isAcknowledged: false, isDeleted: false })
    const { source: srcHost, node: nodeId, logtype, user } = it
    const change = { srcHost, nodeId, logtype, instance: `n${model.length}`, fields: { USERNAME: user } }
    const login = sshLogin(change, at)
    await rookery.console.ingest.fromConsole({
      ...login,
      subject: { ...subject, flockId: flocks[it.flock] ?? '' },
    })
    const { rows } = await rookery.api.incidentViews.rows({ state: 'all', limit: 1 })
    hashes.push(rows[0]?.hash_id ?? '')
    return
  }
  if (old.isDeleted) return
  const hash_ids = hashes[nth] ?? ''
  if (kind === 'acknowledge') {
    await rookery.api.incidentActions.acknowledgeMany({ hash_ids })
    old.isAcknowledged = true
  } else if (kind === 'unacknowledge') {
    await rookery.api.incidentActions.unacknowledgeMany({ hash_ids })
    old.isAcknowledged = false
  } else if (kind === 'delete') {
    await rookery.api.incidentActions.removeMany({ hash_ids, include_unacknowledged: true })
    old.isDeleted = true
  }
}

/** All pages, to the end and back; both ways must show the same rows. */
async function allRows({ rookery }: Bed, key: string | undefined, params: object): Promise<IncidentRow[]> {
  const api = key === undefined ? rookery.api : rookery.apiAs(key)
  const rows: IncidentRow[] = []
  let page = await api.incidentViews.rows({ ...params, limit: 3 })
  const { total } = page
  rows.push(...page.rows)
  let last = page
  while (page.cursor.next !== null) {
    page = await api.incidentViews.rows({ cursor: page.cursor.next })
    rows.push(...page.rows)
    expect(page.total).toBe(total)
    last = page
  }
  const back = [...last.rows]
  while (last.cursor.prev !== null) {
    last = await api.incidentViews.rows({ cursor: last.cursor.prev })
    back.unshift(...last.rows)
  }
  expect(back.map((it) => it.hash_id)).toEqual(rows.map((it) => it.hash_id))
  expect(total).toBe(rows.length)
  return rows
}

describe.each(engines)('rows on %s', (engine) => {
  it('are those that every filter, state and scope selects, and changes lead a page to the same', async () => {
    const bed = await openBed(engine)
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 1, maxLength: 12 }),
        filter,
        fc.boolean(),
        async (actions, asked, isLimited) => {
          const key = isLimited ? bed.limitedKey : undefined
          const scope = isLimited ? [1] : [0, 1, 2]
          if (isLimited && asked.flock !== undefined) asked = { ...asked, flock: 1 }
          const params = query(asked, bed.flocks)
          const before = await allRows(bed, key, params)
          const api = key === undefined ? bed.rookery.api : bed.rookery.apiAs(key)
          const { max_updated_id } = await api.incidentViews.rows({ ...params, limit: 1 })
          for (const one of actions) await act(bed, one)

          const expected = bed.model
            .flatMap((it, nth) => (matches(it, asked, scope) ? [bed.hashes[nth] ?? ''] : []))
            .reverse()
          const after = await allRows(bed, key, params)
          expect(after.map((it) => it.hash_id)).toEqual(expected)

          const change = await api.incidentViews.rows({ ...params, changed_since: max_updated_id })
          const page = new Map(before.map((it) => [it.hash_id, it]))
          for (const hash of change.gone) page.delete(hash)
          for (const row of change.rows) page.set(row.hash_id, row)
          expect(new Set(page.keys())).toEqual(new Set(expected))
          expect([...page.values()].sort((a, b) => b.updated_id - a.updated_id)).toEqual(
            [...after].sort((a, b) => b.updated_id - a.updated_id),
          )
          expect([change.total, change.is_complete]).toEqual([expected.length, true])
          const none = await api.incidentViews.rows({ ...params, changed_since: change.max_updated_id })
          expect([none.rows, none.gone, none.total]).toEqual([[], [], expected.length])
        },
      ),
      { numRuns: sized(30, 8) },
    )
  })

  describe('', () => {
    const rookery = ownTestConsole({ engine })

    it('have at most 1 KB each, whatever intruders and people wrote', async () => {
      const long = ['\u0000'.repeat(5_000), '"\\'.repeat(2_000), '漢'.repeat(4_000), '😀'.repeat(3_000)]
      for (const [n, text] of long.entries()) {
        const name = text.slice(0, 200)
        await rookery.console.ingest.fromConsole({
          ...sshLogin({ instance: `n${n}`, fields: { USERNAME: text, PASSWORD: text, LOCALVERSION: text } }),
          subject: { ...subject, name },
        })
      }
      for (let n = 0; n < 30; n++)
        await rookery.console.ingest.fromConsole(sshLogin({ fields: { USERNAME: `u${n}`, PASSWORD: 'x' } }))
      const { rows } = await rookery.api.incidentViews.rows({})
      expect(rows).toHaveLength(5)
      for (const row of rows) expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThanOrEqual(1_024)
      const plain = rows.find(({ events_count }) => events_count === 30)
      expect(plain?.evidence[0]).toEqual({ name: 'USERNAME', value: 'u29' })
    })

    it('refuse a filter that is wrong, and say what would be right', async () => {
      const wrong: [Record<string, string>, number, RegExp][] = [
        [{ source: '10.0.0' }, 400, /^Parameter source .*must be an address .*not "10\.0\.0"/],
        [{ source: '10.0.0.0/33' }, 400, /192\.0\.2\.0\/24, not "10\.0\.0\.0\/33"/],
        [{ source: '2001:db8::/32' }, 400, /IPv4 addresses .*name IPv6 addresses one by one/],
        [{ level: 'usd' }, 400, /one or several of .*not "usd"/],
        [{ logtype: '99' }, 400, /known logtypes, such as 3000, not "99"/],
        [{ state: 'closed' }, 400, /state/],
        [{ newer_than: 'yesterday' }, 400, /newer_than/],
        [{ changed_since: '-1' }, 400, /changed_since/],
        [{ limit: '1001' }, 400, /limit/],
        [{ cursor: 'x' }, 400, /cursor/],
        [{ node_id: 'a', decoytoken: 'b' }, 400, /decoytoken/],
        [{ flock_id: 'flock:none' }, 404, /Flock does not exist/],
      ]
      for (const [params, status, message] of wrong) {
        const { status: answered, json } = await rookery.get('/incidents/rows', params)
        expect([params, answered]).toEqual([params, status])
        expect(JSON.stringify(json)).toMatch(
          new RegExp(message.source.replace('^', '').replaceAll('"', '\\\\?"')),
        )
      }
    })

    it('leave out what changed where that is more than 1,000, so that the page lists anew', async () => {
      const { max_updated_id } = await rookery.api.incidentViews.rows({})
      const raised = Array.from({ length: 1_001 }, (_, n) =>
        rookery.console.ingest.fromConsole(sshLogin({ nodeId: n.toString(16).padStart(16, '0') })),
      )
      await Promise.all(raised)
      const changed = await rookery.api.incidentViews.rows({ changed_since: max_updated_id })
      expect([changed.rows.length, changed.is_complete, changed.total]).toEqual([0, false, 1_001])
      const one = await rookery.api.incidentViews.rows({ changed_since: changed.max_updated_id })
      expect([one.rows.length, one.is_complete]).toEqual([0, true])
    })

    it('show the events of an incident in pages, the first 100 and the last 900', async () => {
      const bird = await registeredBird(rookery, { name: 'nas' })
      for (let n = 1; n <= 1_050; n++)
        await rookery.console.ingest.fromConsole(sshLogin({ nodeId: bird, fields: { USERNAME: `u${n}` } }))
      const [row] = (await rookery.api.incidentViews.rows({})).rows
      const seen: number[] = []
      let page = await rookery.api.incidentViews.events({ hash_id: row?.hash_id ?? '', limit: 400 })
      for (;;) {
        for (const { nth, fields } of page.events) {
          seen.push(nth)
          expect(fields['USERNAME']).toBe(`u${nth}`)
        }
        if (page.cursor.next === null) break
        page = await rookery.api.incidentViews.events({ cursor: page.cursor.next })
      }
      const all = Array.from({ length: 1_050 }, (_, n) => n + 1)
      expect(seen).toEqual([...all.slice(0, 100), ...all.slice(150)])
      expect(page.total).toBe(1_050)
      const { incident } = await rookery.api.incidentQueries.fetch({
        incident: row?.key ?? '',
        event_limit: 2,
      })
      expect(incident.events.map((it) => it['USERNAME'])).toEqual(['u1049', 'u1050'])
      expect((await rookery.get('/incident/events')).status).toBe(400)
      expect((await rookery.get('/incident/events', { incident: 'incident:none' })).status).toBe(404)
    })

    it('are downloaded with their filter, in full, and no cell is a formula', async () => {
      const user = `=cmd|'/c calc'!A1${'x'.repeat(300)}`
      for (const [srcHost, USERNAME] of [
        ['192.0.2.1', 'root'],
        ['192.0.2.2', user],
      ] as const)
        await rookery.console.ingest.fromConsole(sshLogin({ srcHost, fields: { USERNAME } }))
      const read = async (params: Record<string, string>) => {
        const { text } = await rookery.get('/incidents/export', params)
        const [header = [], ...rows] = [...readCsv(text)].map(({ cells }) => [...cells])
        return rows.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])))
      }
      const rows = await read({ state: 'all', level: 'tried' })
      expect(rows.map((it) => it['src_host'])).toEqual(['192.0.2.2', '192.0.2.1'])
      expect(rows[0]?.['evidence']).toContain(user)
      expect(rows[0]).toMatchObject({ level: 'tried', flock_name: 'Default Flock', acknowledged: 'false' })
      expect(await read({ source: '192.0.2.1' })).toHaveLength(1)
      expect(await read({ state: 'acknowledged' })).toEqual([])
      expect((await rookery.get('/incidents/export', { flock_id: 'flock:none' })).status).toBe(404)
    })

    it('are counted over time, as many as rows lists, and by the same filters', async () => {
      const now = Date.now()
      const days = [0.2, 1, 1, 5, 29, 40]
      for (const [n, day] of days.entries())
        await rookery.console.ingest.fromConsole(
          sshLogin(
            { srcHost: `192.0.2.${n}`, instance: `n${n}`, logtype: n === 3 ? '5000' : '4002' },
            now - day * 86_400_000,
          ),
        )
      const sums = async (params: Parameters<typeof rookery.api.incidentViews.timeline>[0]) => {
        const { columns, seconds } = await rookery.api.incidentViews.timeline(params)
        for (const [n, { at }] of columns.entries()) expect(at).toBe((columns[0]?.at ?? 0) + n * seconds)
        const sum = (level: 'used' | 'tried') => columns.reduce((all, it) => all + it[level], 0)
        return [seconds, columns.length, sum('used'), sum('tried')]
      }
      const ago = (day: number) => String(Math.floor(now / 1_000 - day * 86_400))
      expect(await sums({})).toEqual([86_400, 31, 1, 4])
      expect(await sums({ level: 'used' })).toEqual([86_400, 31, 1, 0])
      expect(await sums({ source: '192.0.2.0/31' })).toEqual([86_400, 31, 0, 2])
      expect((await sums({ newer_than: ago(1.5) })).slice(2)).toEqual([0, 3])
      expect((await sums({ newer_than: ago(1.5) }))[0]).toBe(3_600)
      expect((await sums({ newer_than: ago(4_000) })).slice(2)).toEqual([1, 5])
      expect((await sums({ newer_than: ago(50), older_than: ago(20) })).slice(2)).toEqual([0, 2])
      await rookery.api.incidentActions.acknowledgeMany({ src_host: '192.0.2.3' })
      expect((await sums({})).slice(2)).toEqual([0, 4])
      expect((await sums({ state: 'all' })).slice(2)).toEqual([1, 4])
      expect(
        (await rookery.get('/incidents/timeline', { newer_than: ago(1), older_than: ago(2) })).status,
      ).toBe(400)
    })

    it('have levels and kinds that logtypes/list explains', async () => {
      await rookery.console.ingest.fromConsole(sshLogin())
      const { logtypes } = await rookery.api.incidentViews.logtypes({})
      const [row] = (await rookery.api.incidentViews.rows({})).rows
      expect(logtypes[row?.logtype ?? '']).toMatchObject({ summary: row?.summary, level: row?.level })
      for (const [number, { meaning, next }] of Object.entries(logtypes))
        expect([number, meaning !== '', next.length > 0]).toEqual([number, true, true])
    })
  })
})
