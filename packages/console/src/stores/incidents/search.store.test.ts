import fc from 'fast-check'
import type { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import { openTestDatabase } from '../../../test/test-database.ts'
import { engines } from '../../../test/test-console.ts'
import { openQueryPlans } from '../../../test/query-plans.ts'
import type { Engine } from '../../db/engine.ts'
import type { Scope } from '../../db/query.ts'
import { keysOfSource } from './aggregation.ts'
import type { SearchFilter } from './filter.store.ts'
import { insertSources } from './shared.store.ts'
import { searchIds, searchPage, searchWithTotals, type Sizes } from './search.store.ts'
import { changeStates, type StateChange } from './state.store.ts'
import { insertIncidents, writeReverseName, type InsertedIncident } from './write.store.ts'

const RUNS = sized(80, 15)

/** What a search asks of an incident; held in memory next to the database, and changed with it. */
interface Model {
  readonly incident_id: number
  readonly summary: string
  readonly node_id: string
  readonly name: string
  readonly memo: string | null
  readonly src_host: string
  /** Further sources: of `many sources`, and of an IPv6 /64. */
  readonly shared_with: readonly string[]
  readonly dst_host: string
  readonly flock_id: string
  readonly logtype: string
  readonly created_at: number
  src_host_reverse: string
  acknowledged: 0 | 1
  deleted: boolean
}

const TOKEN = 'abcdefghijklmnopqrstuvwxy'

const node = fc.oneof(
  fc.record({
    node_id: fc.constantFrom('0123456789abcdef', 'fedcba9876543210'),
    name: fc.constantFrom('nas', 'NAS_2'),
    memo: fc.constant(null),
  }),
  fc.record({
    node_id: fc.constant(TOKEN),
    name: fc.constant('N/A'),
    memo: fc.constantFrom('', 'Q3 100%_Pay', 'übung'),
  }),
)

const made = fc
  .record({
    node,
    summary: fc.constantFrom('SSH Login Attempt', 'Port SYN', '100%_sure', 'Übung Login'),
    src_host: fc.constantFrom(
      '10.0.0.1',
      '10.0.0.10',
      '110.0.0.1',
      '2001:DB8::7',
      '',
      'many sources',
      '192.0.2.255',
    ),
    shared_with: fc.subarray(['10.0.0.1', '2001:DB8::7', '192.0.2.99', '110.0.0.2'], { maxLength: 2 }),
    dst_host: fc.constantFrom('10.0.0.5', 'fd00::5'),
    flock_id: fc.constantFrom('flock:default', 'flock:b'),
    logtype: fc.constantFrom('4002', '5001'),
    created_at: fc.integer({ min: 1, max: 30 }),
    leap: fc.constantFrom(1, 1, 1, 4, 2 ** 32),
  })
  .map(({ node: of, shared_with, ...others }) => ({
    ...of,
    ...others,
    shared_with: others.src_host === 'many sources' ? shared_with : [],
  }))

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 })

const TEXTS = [
  '10.0.0.1',
  '0.1',
  '.',
  'ssh',
  'LOGIN',
  '%',
  '_',
  '2001:db8',
  'many',
  'f',
  '1',
  'Übung',
  'übung',
  'no such',
  '5',
]
/** Of names, memos and reverse names; and what stands between texts that are stored together. */
const NAMES = ['nas', 'NAS_', 'pay', 'n/a', 'scan.EXAMPLE', 'ample', 'attempt\u001f', '\u001f']

const filter = fc
  .record({
    text: optional(fc.constantFrom(...TEXTS, ...NAMES)),
    nodeId: optional(fc.constantFrom('0123456789abcdef', TOKEN, 'absent')),
    flockId: optional(fc.constantFrom('flock:b')),
    srcHost: optional(
      fc.constantFrom(
        '10.0.0.1',
        '2001:DB8::7',
        '192.0.2.99',
        'many sources',
        '1.1.1.1',
        '',
        '!10.0.0.1',
        '!192.0.2.0/24',
      ),
    ),
    ofOneSource: optional(fc.constant(true as const)),
    logtypes: optional(fc.constantFrom(['4002'], ['4002', '5001'], [])),
    createdAfter: optional(fc.integer({ min: 0, max: 30 })),
    createdBefore: optional(fc.integer({ min: 0, max: 31 })),
    acknowledged: optional(fc.constantFrom(0 as const, 1 as const)),
  })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as SearchFilter,
  )

const scope: fc.Arbitrary<Scope> = fc.constantFrom<Scope>(
  'all',
  'all',
  ['flock:b'],
  ['flock:b', 'flock:default'],
  [],
)

const change = fc.record({
  change: fc.constantFrom<StateChange | 'name'>('acknowledge', 'unacknowledge', 'delete', 'name'),
  of: fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }),
})

const sizes: fc.Arbitrary<Sizes> = fc.record({
  mostSorted: fc.constantFrom(0, 3, 1_000),
  mostCounted: fc.constantFrom(0, 3, 1_000),
  idsAtOnce: fc.constantFrom(1, 4, 1_000),
})

const asked = fc.record({ scope, filter, limit: fc.integer({ min: 1, max: 8 }), sizes })

const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const isFrom = (sources: readonly string[], by: string): boolean => {
  if (by.startsWith('!')) return !isFrom(sources, by.slice(1))
  return by === '192.0.2.0/24' ? sources.some((it) => it.startsWith('192.0.2.')) : sources.includes(by)
}

/** What a search means, in plain JavaScript. */
function isMeant(it: Model, within: Scope, by: SearchFilter): boolean {
  const sources = [it.src_host, ...it.shared_with]
  const texts = [it.summary, it.node_id, it.memo ?? it.name, it.dst_host, it.src_host_reverse, ...sources]
  return (
    !it.deleted &&
    (within === 'all' || within.includes(it.flock_id)) &&
    (by.flockId === undefined || it.flock_id === by.flockId) &&
    (by.nodeId === undefined || it.node_id === by.nodeId) &&
    (by.srcHost === undefined || isFrom(sources, by.srcHost)) &&
    (by.ofOneSource === undefined || it.src_host !== 'many sources') &&
    (by.logtypes === undefined || by.logtypes.includes(it.logtype)) &&
    (by.acknowledged === undefined || it.acknowledged === by.acknowledged) &&
    it.created_at > (by.createdAfter ?? -1) &&
    it.created_at < (by.createdBefore ?? Infinity) &&
    texts.some((text) => folded(text).includes(folded(by.text ?? '')))
  )
}

it('reads the states in their order, and walks the indexes of lists for a page of many matches', async () => {
  const { db, planOf } = await openQueryPlans()
  const plans: string[][] = []
  const engine = {
    name: 'sqlite',
    reader: db,
    longRead({ sql }: CompiledQuery) {
      plans.push(planOf(sql))
      return Promise.resolve([])
    },
  } as unknown as Engine
  const sizes = { mostSorted: -1, mostCounted: -1, idsAtOnce: 1 }
  for (const filter of [{ text: 'x' }, { text: 'x', flockId: 'flock:b', acknowledged: 0 as const }]) {
    plans.length = 0
    await searchWithTotals(engine, { scope: 'all', filter }, { limit: 5 }, sizes)
    const [few, walk, totals] = plans.map((steps) => steps.filter((step) => step.includes('incident_state')))
    expect([few, totals]).toEqual([['SCAN incident_state'], ['SCAN incident_state']])
    const index = 'flockId' in filter ? 'incident_by_flock' : 'incident_by_state'
    for (const step of walk ?? []) expect(step).toMatch(`SEARCH incident_state USING INDEX ${index}`)
    expect(walk).toHaveLength('acknowledged' in filter ? 1 : 2)
    expect(plans[1]?.join()).not.toContain('TEMP B-TREE')
  }
})

describe.each(engines)('a search (%s)', (name) => {
  it('finds what a plain walk over the incidents finds', async () => {
    const { engine } = await openTestDatabase(name)
    let last = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { minLength: 1, maxLength: 60 }),
        fc.array(change, { maxLength: 4 }),
        fc.array(asked, { minLength: 1, maxLength: 6 }),
        async (incidents, changes, searches) => {
          const all = incidents.map(({ leap, ...it }): Model => ({
            ...it,
            incident_id: (last += leap),
            src_host_reverse: '',
            acknowledged: 0,
            deleted: false,
          }))
          await store(engine, all)
          last = (await engine.commitSequence()).updated_id
          for (const it of changes) await apply(engine, all, it)
          last = (await engine.commitSequence()).updated_id
          for (const one of searches) await compare(engine, all, one)
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('gives up with a clear answer when its time is over', async () => {
    const { engine } = await openTestDatabase(name)
    const late: Engine = { ...engine, longRead: (query) => engine.longRead(query, 0) }
    const search = searchPage(late, { scope: 'all', filter: { text: 'x' } }, { limit: 1 })
    await expect(search).rejects.toMatchObject({
      code: 'unavailable',
      message: /^The search took longer than/,
    })
  })
})

async function store(engine: Engine, all: readonly Model[]): Promise<void> {
  const rows = all.map(({ deleted: _, shared_with: _others, ...it }): InsertedIncident => ({
    ...it,
    incident_key: `incident:x:${it.incident_id}`,
    hash_id: String(it.incident_id),
    src_port: 1,
    dst_port: 2,
    ip_address: '',
    ippers: '',
    mac_address: '',
    updated_at: 1,
    updated_id: it.incident_id,
    events_count: 1,
    last_at: 1,
    agg_key: `${keysOfSource(it.src_host).from}${it.incident_id}`,
  }))
  await engine.transaction(async (tx) => {
    for (const table of ['incident_fact', 'incident_state', 'incident_count', 'incident_source'] as const)
      await tx.query.deleteFrom(table).execute()
    const { updated_id } = await engine.commitSequence()
    await tx.updatedIds((rows.at(-1)?.incident_id ?? 0) - updated_id)
    await insertIncidents(tx, rows)
    await insertSources(
      tx,
      all.flatMap(({ incident_id, shared_with }) =>
        shared_with.map((src_host, at) => ({ incident_id, src_host, nth: at + 1 })),
      ),
    )
  })
}

/** Changes incidents in the database and in the model; `name` is a reverse name that is learnt late. */
async function apply(
  engine: Engine,
  all: readonly Model[],
  { change: what, of }: { change: StateChange | 'name'; of: readonly number[] },
) {
  const meant = new Set(of.flatMap((at) => all[at % all.length] ?? []))
  await engine.transaction(async (tx) => {
    const ids = [...meant].map((it) => it.incident_id)
    if (what !== 'name') return void (await changeStates(tx, ids, { change: what, by: 'a', now: 9 }))
    for (const id of ids) await writeReverseName(tx, id, 'Scan.example', 9)
  })
  for (const it of meant) {
    if (it.deleted) continue
    if (what === 'name') it.src_host_reverse = 'Scan.example'
    else if (what === 'delete') it.deleted = true
    else it.acknowledged = what === 'acknowledge' ? 1 : 0
  }
}

async function compare(
  engine: Engine,
  all: readonly Model[],
  { scope: within, filter: by, limit, sizes: few }: typeof asked extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  const search = { scope: within, filter: by }
  const wanted = all
    .filter((it) => isMeant(it, within, by))
    .sort((a, b) => b.created_at - a.created_at || b.incident_id - a.incident_id)
  const ids = wanted.map((it) => it.incident_id)
  expect([...(await searchIds(engine, search, few))]).toEqual(ids.toSorted((a, b) => a - b))

  const { page: first, totals } = await searchWithTotals(engine, search, { limit }, few)
  expect(first.map((it) => it.incident_id)).toEqual(ids.slice(0, limit))
  expect(totals.total).toBe(ids.length)
  const counts: Record<string, number> = {}
  for (const { src_host } of wanted) counts[src_host] = (counts[src_host] ?? 0) + 1
  expect(Object.fromEntries(totals.bySource)).toEqual(counts)
  expect(totals.bySource.map(([, n]) => n)).toEqual(Object.values(counts).sort((a, b) => b - a))

  const pages = first.map((it) => it.incident_id)
  for (let from = first.at(-1); from && pages.length < ids.length;) {
    const page = await searchPage(engine, search, { limit, from }, few)
    expect(page.length).toBeGreaterThan(0)
    pages.push(...page.map((it) => it.incident_id))
    from = page.at(-1)
  }
  expect(pages).toEqual(ids)
  const middle = wanted[Math.floor(wanted.length / 2)]
  if (!middle) return
  const from = { ...middle, updated_id: 0 }
  const before = await searchPage(engine, search, { limit, from, backward: true }, few)
  const at = ids.indexOf(middle.incident_id)
  expect(before.map((it) => it.incident_id)).toEqual(ids.slice(Math.max(0, at - limit), at))
}
