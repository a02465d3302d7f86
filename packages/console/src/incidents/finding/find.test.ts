import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshGround, type Ground } from '../../../test/ground.ts'
import { engines } from '../../../test/house.ts'
import type { Scope } from '../../db/query.ts'
import { changeStates, type StateChange } from '../../stores/incidents/actions.store.ts'
import { matching, type IncidentFilter, type IncidentRow } from '../../stores/incidents/filter.store.ts'
import { incidentsById } from '../../stores/incidents/page.store.ts'
import { insertIncidents } from '../../stores/incidents/insert.store.ts'
import { storeBlock } from '../../stores/incidents/index-writing.store.ts'
import { openDrafting } from './draft.ts'
import { find } from './find.ts'
import type { FindRequest, Found } from './request.ts'

/** Of full blocks, and of provisional ones. */
const SIZES = { full: 12, provisional: 3 }
const RUNS = 60

type Made = Pick<
  IncidentRow,
  | 'summary'
  | 'node_id'
  | 'src_host'
  | 'dst_host'
  | 'flock_id'
  | 'logtype'
  | 'created_at'
  | 'acknowledged'
  | 'deleted_at'
> & { readonly leap: number }

const row = ({ leap: _leap, ...made }: Made, id: number) => ({
  incident_id: id,
  incident_key: `incident:x:${(id * 7919) % 1000}:${id}`,
  hash_id: String(id),
  name: 'nas',
  memo: null,
  src_port: 1,
  dst_port: 2,
  ip_address: '',
  ippers: '',
  mac_address: '',
  updated_at: 1,
  updated_id: id,
  events_count: 1,
  last_at: 1,
  agg_key: `${made.src_host}|${id}`,
  ...made,
})

const made: fc.Arbitrary<Made> = fc.record({
  summary: fc.constantFrom('SSH Login Attempt', 'Port SYN', '100%_sure', 'Übung Login'),
  node_id: fc.constantFrom('0123456789abcdef', 'fedcba9876543210', 'qrstuv'),
  src_host: fc.constantFrom(
    '10.0.0.1',
    '10.0.0.10',
    '110.0.0.1',
    '2001:db8::7',
    '',
    'many sources',
    '192.0.2.255',
  ),
  dst_host: fc.constantFrom('10.0.0.5', 'fd00::5'),
  flock_id: fc.constantFrom('flock:default', 'flock:b'),
  logtype: fc.constantFrom('4002', '5001'),
  created_at: fc.integer({ min: 1, max: 30 }),
  acknowledged: fc.constantFrom(0, 1),
  deleted_at: fc.constantFrom(null, null, null, 5),
  leap: fc.constantFrom(1, 1, 1, 4, 2 ** 32),
})

/** A full block, of whose one source the text says nothing; the kind of the first has it. */
const TOLD_BY_KIND = Array.from({ length: SIZES.full }, (_, at): Made => ({
  summary: at === 0 ? '100%_sure' : 'SSH Login Attempt',
  node_id: 'qrstuv',
  src_host: '10.0.0.1',
  dst_host: '10.0.0.5',
  flock_id: 'flock:b',
  logtype: '4002',
  created_at: 1,
  acknowledged: 0,
  deleted_at: null,
  leap: 1,
}))

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 })

const filter = fc
  .record({
    text: optional(
      fc.constantFrom(
        '10.0.0.1',
        '0.1',
        '.',
        'ssh',
        'LOGIN',
        '%',
        '_',
        '2001:DB8',
        'many',
        'f',
        '1',
        'übung',
        'no such',
        '5',
      ),
    ),
    nodeId: optional(fc.constantFrom('0123456789abcdef', 'absent')),
    flockId: optional(fc.constantFrom('flock:b')),
    srcHost: optional(fc.constantFrom('10.0.0.1', '2001:db8::7', 'many sources', '1.1.1.1', '::9', '')),
    logtypes: optional(fc.constantFrom(['4002'], ['4002', '5001'], [])),
    createdAfter: optional(fc.integer({ min: 0, max: 30 })),
    createdBefore: optional(fc.integer({ min: 0, max: 31 })),
    acknowledged: optional(fc.constantFrom(0 as const, 1 as const)),
    withDeleted: optional(fc.constant(true)),
  })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as IncidentFilter,
  )

const scope: fc.Arbitrary<Scope> = fc.constantFrom<Scope>('all', 'all', ['flock:b'], [])

const change = fc.record({
  change: fc.constantFrom<StateChange>('acknowledge', 'unacknowledge', 'delete'),
  of: fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }),
  when: fc.constantFrom('between', 'behind'),
})

describe.each(engines)('a search through the index (%s)', (name) => {
  it('finds what a plain walk over the incidents finds', async () => {
    const { engine, beside } = await freshGround(name)
    let last = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(made, { minLength: 1, maxLength: 25 }), { minLength: 1, maxLength: 4 }),
        fc.array(change, { maxLength: 4 }),
        fc.array(fc.tuple(scope, filter, fc.integer({ min: 1, max: 8 })), { minLength: 1, maxLength: 6 }),
        fc.nat(5),
        async (parts, changes, asked, blocks) => {
          await engine.transaction(async (tx) => {
            for (const table of ['incident_fact', 'incident_state', 'search_block', 'search_cells'] as const)
              await tx.query.deleteFrom(table).execute()
          })
          const ids: number[] = []
          const apply = async (when: string): Promise<void> => {
            for (const it of changes.filter((each) => each.when === when)) {
              const meant = new Set(it.of.map((at) => ids[at % ids.length] ?? 0))
              await engine.transaction(async (tx) => {
                await changeStates(tx, [...meant], it.change, 9)
              })
            }
          }
          const drafting = openDrafting(SIZES)
          for (const part of parts) {
            const rows = part.map((it) => row(it, (last += it.leap)))
            ids.push(...rows.map((it) => it.incident_id))
            await engine.transaction((tx) => insertIncidents(tx, rows))
            for (let n = 0; n < blocks; n++) {
              const next = await beside.snapshot((query) => drafting.next(query))
              // What changes between the draft and its writing must not be lost.
              await apply('between')
              if (next)
                await engine.transaction(async (tx) => void expect(await storeBlock(tx, next)).toBe(true))
            }
            await apply('behind')
          }
          for (const [within, by, limit] of asked) await compare({ engine, beside }, within, by, limit)
        },
      ),
      {
        numRuns: RUNS,
        examples: [[[TOLD_BY_KIND], [], [['all', { text: '%', srcHost: '10.0.0.1' }, 1]], 0]],
      },
    )
  }, 60_000)
})

async function compare(
  { engine, beside }: Ground,
  scope: Scope,
  filter: IncidentFilter,
  limit: number,
): Promise<void> {
  const ask = (request: Omit<FindRequest, 'scope' | 'filter'>): Promise<Found> =>
    beside.snapshot((query) =>
      find({ query, engine: engine.name, goOn: () => undefined }, { scope, filter, ...request }),
    )
  const wanted = await matching(engine.reader, engine.name, scope, filter)
    .select(['incident_id', 'created_at', 'updated_id'])
    .orderBy('created_at', 'desc')
    .orderBy('incident_id', 'desc')
    .execute()
  const ids = wanted.map((it) => it.incident_id)
  const whole = await incidentsById(engine.reader, engine.name, ids)
  const { numbers, totals } = await ask({ numbers: true, totals: true })
  expect([...numbers]).toEqual([...ids].sort((a, b) => a - b))
  expect(totals?.total).toBe(ids.length)
  const counts: Record<string, number> = {}
  for (const { src_host } of whole.values()) counts[src_host] = (counts[src_host] ?? 0) + 1
  expect(Object.fromEntries(totals?.bySource ?? [])).toEqual(counts)

  const pages: number[] = []
  let from: Found['page'][number] | undefined
  do {
    const { page } = await ask({ page: { limit, ...(from && { from }) } })
    pages.push(...page.map((it) => it.incident_id))
    from = page.length === limit ? page.at(-1) : undefined
  } while (from)
  expect(pages).toEqual(ids)
  const middle = wanted[Math.floor(wanted.length / 2)]
  if (!middle) return
  const { page } = await ask({ page: { limit, from: middle, backward: true } })
  const at = ids.indexOf(middle.incident_id)
  expect(page.map((it) => it.incident_id)).toEqual(ids.slice(Math.max(0, at - limit), at))
}
