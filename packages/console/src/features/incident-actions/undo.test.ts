// Undo against a model: what a bulk action changed, and nothing changed since, is as it was; the rest is as it is.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import { engines, openTestConsole, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'
import { MAX_COMMENTS } from '../../stores/comments/store.ts'

const INCIDENTS = 6

interface State {
  acknowledged: boolean
  deleted: boolean
  by: string | undefined
  comments: readonly string[]
  /** Counts what changes the incident. */
  version: number
  /** The next touch after it was acknowledged has begun a new incident, which takes all that follow. */
  followed: boolean
}

interface Batch {
  readonly id: string
  readonly before: ReadonlyMap<number, State>
  readonly after: ReadonlyMap<number, number>
  readonly did: 'acknowledge' | 'unacknowledge' | 'delete'
}

const person = fc.nat(1)
const some = fc.uniqueArray(fc.nat(INCIDENTS - 1), { minLength: 1 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('bulk' as const),
      what: fc.nat(2),
      which: some,
      person,
      says: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), batch: fc.nat(), person }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('event', 'comment', 'acknowledge', 'unacknowledge', 'delete'),
      which: fc.nat(INCIDENTS - 1),
      person,
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Bed {
  readonly rookery: TestConsole
  readonly keys: readonly { readonly key: string; readonly id: string }[]
}

async function openBed(engine: (typeof engines)[number]): Promise<Bed> {
  const rookery = await openTestConsole({ engine })
  const keys = []
  for (const note of ['Ann', 'Bob']) {
    const { global_api_key: made } = await rookery.api.apiKeys.add({ auth_token_type: 'analyst', note })
    keys.push({ key: made.auth_token, id: made.key_id })
  }
  return { rookery, keys }
}

describe.each(engines)('undoing a bulk action on %s', (engine) => {
  it('puts back what it changed and nothing changed since, and says how many it left', async () => {
    const bed = await openBed(engine)
    let world = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        await clear(bed)
        const incidents = await raise(bed, ++world)
        const model = incidents.map((): State => ({
          acknowledged: false,
          deleted: false,
          by: undefined,
          comments: [],
          version: 0,
          followed: false,
        }))
        const batches: Batch[] = []
        for (const [nth, one] of steps.entries())
          await take(bed, { incidents, model, batches, world, words: `words ${nth}` }, one)
        await compare(bed, incidents, model)
      }),
      { numRuns: sized(40, 8) },
    )
  })

  describe('', () => {
    const rookery = ownTestConsole({ engine })

    it('is refused for a batch that is not there, and writes rows of the audit trail otherwise', async () => {
      await rookery.console.ingest.fromConsole(sshLogin())
      const none = await rookery.post('/incidents/undo', { batch_id: 'f'.repeat(32) })
      expect([none.status, none.json['message']]).toEqual([404, `There is no bulk action ${'f'.repeat(32)}.`])
      const { count, batch_id, keys } = await rookery.api.incidentActions.acknowledgeMany({
        older_than: '0h',
        keys: false,
      })
      expect([count, keys]).toEqual([1, []])
      expect(await rookery.api.incidentActions.undo({ batch_id })).toMatchObject({ restored: 1, left: 0 })
      expect(await rookery.api.incidentActions.undo({ batch_id })).toMatchObject({ restored: 0, left: 1 })
      const { audit_trail } = await rookery.api.auditTrail.fetch({})
      expect(audit_trail.map((it) => it.action_type).slice(0, 3)).toEqual([
        'incident_actions.undo',
        'incident_actions.undo',
        'incident_actions.acknowledge_many',
      ])
      const nothing = await rookery.api.incidentActions.unacknowledgeMany({ older_than: '0h' })
      expect([nothing.count, nothing.batch_id]).toEqual([0, ''])
    })

    it('selects by hash ids, level, times and a range of addresses', async () => {
      for (const [n, srcHost] of ['10.0.0.1', '10.0.9.1', '192.0.2.1'].entries())
        await rookery.console.ingest.fromConsole(
          sshLogin({ srcHost, logtype: n === 2 ? '3000' : '4002' }, Date.now() - n * 3_600_000),
        )
      const { rows } = await rookery.api.incidentViews.rows({})
      const [newest, , oldest] = rows.map(({ hash_id }) => hash_id)
      const selections: [object, number][] = [
        [{ hash_ids: `${newest}, ${oldest},${'0'.repeat(32)}` }, 2],
        [{ hash_ids: '0'.repeat(32) }, 0],
        [{ src_host: '10.0.0.0/16' }, 2],
        [{ src_host: '10.0.0.0/24' }, 1],
        [{ level: 'looked' }, 1],
        [{ level: 'looked,tried' }, 3],
        [{ newer_than: '30h' }, 3],
        [{ newer_than: '90m' }, -1],
        [{ newer_than: '1h', older_than: '0h' }, 1],
        [{ level: 'tried', hash_ids: oldest }, 0],
      ]
      for (const [selection, expected] of selections) {
        const { status, json } = await rookery.post('/incidents/acknowledge', { ...selection })
        expect([selection, status === 200 ? json['count'] : -1]).toEqual([selection, expected])
        await rookery.api.incidentActions.unacknowledgeMany({ older_than: '0h' })
      }
      const wrong: [Record<string, string>, RegExp][] = [
        [{ src_host: '2001:db8::/48' }, /IPv6 addresses one by one/],
        [{ hash_ids: Array(1_001).fill(newest).join(',') }, /1 to 1000 incidents, not 1001/],
        [{ level: 'high' }, /one or several of/],
        [{ newer_than: 'soon' }, /newer_than/],
      ]
      for (const [selection, message] of wrong) {
        const answer = await rookery.post('/incidents/acknowledge', selection)
        expect([selection, answer.status]).toEqual([Object(selection), 400])
        expect(answer.text).toMatch(message)
      }
    })

    it('keeps comments to a bound, and shows them with their verdict where the incident is fetched', async () => {
      await rookery.console.ingest.fromConsole(sshLogin())
      const [row] = (await rookery.api.incidentViews.rows({})).rows
      const incident = row?.key ?? ''
      await rookery.api.incidentActions.acknowledge({ incident, comment: ' Scanner. ', verdict: 'test' })
      // Another was faster: the words count all the same.
      await rookery.api.incidentActions.acknowledge({ incident, comment: 'Seen, too.' })
      const fetched = await rookery.api.incidentQueries.fetch({ incident, extended_details: true })
      expect(fetched.incident.comments).toMatchObject([
        { text: 'Scanner.', verdict: 'test' },
        { text: 'Seen, too.' },
      ])
      for (let n = 2; n < MAX_COMMENTS; n++)
        await rookery.api.incidentActions.comment({ incident, comment: `${n}` })
      const full = await rookery.post('/incident/comment', { incident, comment: 'one more' })
      expect([full.status, full.json['message']]).toEqual([
        409,
        `The incident has ${MAX_COMMENTS} comments, and takes no more.`,
      ])
      await rookery.api.incidentActions.unacknowledge({ incident })
      const bulk = await rookery.api.incidentActions.acknowledgeMany({ older_than: '0h', comment: 'All.' })
      expect(bulk.count).toBe(1)
      expect((await rookery.post('/incident/comment', { incident, comment: ' \n ' })).status).toBe(400)
    })
  })
})

/** Acknowledged and deleted: the next run begins empty. */
const clear = ({ rookery }: Bed): Promise<unknown> =>
  rookery.api.incidentActions.removeMany({ older_than: '0h', include_unacknowledged: true, keys: false })

async function raise({ rookery }: Bed, world: number): Promise<{ key: string; hash: string }[]> {
  for (let n = 0; n < INCIDENTS; n++) await rookery.console.ingest.fromConsole(login(world, n))
  const { rows } = await rookery.api.incidentViews.rows({})
  return rows
    .map(({ key, hash_id, src_host }) => ({ key, hash: hash_id, n: Number(src_host.split('.')[3]) }))
    .sort((a, b) => a.n - b.n)
}

const login = (world: number, n: number) =>
  sshLogin({ srcHost: `10.0.0.${n}`, nodeId: world.toString(16).padStart(16, '0') })

interface Scene {
  readonly incidents: readonly { readonly key: string; readonly hash: string }[]
  readonly model: State[]
  readonly batches: Batch[]
  readonly world: number
  readonly words: string
}

async function take(bed: Bed, scene: Scene, step: Step): Promise<void> {
  const who = bed.keys[step.person]
  const api = bed.rookery.apiAs(who?.key ?? '')
  const { incidents, model, batches, words } = scene
  const set = (n: number, change: Partial<State>): void => {
    const state = model[n]
    if (state) Object.assign(state, change, { version: state.version + 1 })
  }
  if (step.do === 'bulk') {
    const did = (['acknowledge', 'unacknowledge', 'delete'] as const)[step.what as 0 | 1 | 2]
    const hash_ids = step.which.map((n) => incidents[n]?.hash).join(',')
    const said = step.says && did === 'acknowledge' ? { comment: words } : {}
    const before = new Map<number, State>()
    for (const n of step.which) {
      const state = model[n]
      if (!state || state.deleted || (did !== 'delete' && state.acknowledged === (did === 'acknowledge')))
        continue
      before.set(n, { ...state })
      if (did === 'delete') set(n, { deleted: true })
      else if (did === 'unacknowledge') set(n, { acknowledged: false })
      else set(n, { acknowledged: true, by: who?.id, comments: [...state.comments, ...Object.values(said)] })
    }
    const answer =
      did === 'acknowledge'
        ? await api.incidentActions.acknowledgeMany({ hash_ids, ...said })
        : did === 'unacknowledge'
          ? await api.incidentActions.unacknowledgeMany({ hash_ids })
          : await api.incidentActions.removeMany({ hash_ids, include_unacknowledged: true })
    expect([did, answer.count, answer.keys.length]).toEqual([did, before.size, before.size])
    const after = new Map([...before.keys()].map((n) => [n, model[n]?.version ?? 0]))
    if (before.size > 0) batches.push({ id: answer.batch_id, before, after, did })
    return
  }
  if (step.do === 'undo') {
    const batch = batches[step.batch % Math.max(1, batches.length)]
    if (!batch) return
    let restored = 0
    for (const [n, old] of batch.before) {
      if (model[n]?.version !== batch.after.get(n)) continue
      restored++
      set(n, { acknowledged: old.acknowledged, deleted: old.deleted, by: old.by, comments: old.comments })
    }
    const answer = await api.incidentActions.undo({ batch_id: batch.id })
    expect(answer).toMatchObject({ restored, left: batch.before.size - restored })
    return
  }
  const n = step.which
  const state = model[n]
  const incident = incidents[n]?.key ?? ''
  if (!state || state.deleted) return
  if (step.do === 'event') {
    await bed.rookery.console.ingest.fromConsole(login(scene.world, n))
    if (state.acknowledged) state.followed = true
    if (!state.followed) set(n, {})
  } else if (step.do === 'comment') {
    await api.incidentActions.comment({ incident, comment: words })
    set(n, { comments: [...state.comments, words] })
  } else if (step.do === 'acknowledge') {
    await api.incidentActions.acknowledge({ incident })
    if (!state.acknowledged) set(n, { acknowledged: true, by: who?.id })
  } else if (step.do === 'unacknowledge') {
    await api.incidentActions.unacknowledge({ incident })
    if (state.acknowledged) set(n, { acknowledged: false })
  } else if (state.acknowledged) {
    await api.incidentActions.remove({ incident })
    set(n, { deleted: true })
  }
}

async function compare(
  { rookery }: Bed,
  incidents: Scene['incidents'],
  model: readonly State[],
): Promise<void> {
  const { incidentQueries, incidentViews } = rookery.api
  for (const [n, { deleted, acknowledged, by, comments }] of model.entries()) {
    const incident = incidents[n]?.key ?? ''
    if (deleted) {
      expect((await rookery.get('/incident/fetch', { incident })).status).toBe(404)
      continue
    }
    const { incident: found } = await incidentQueries.fetch({ incident, extended_details: true })
    expect([n, found.acknowledged]).toEqual([n, acknowledged ? 'True' : 'False'])
    const shown = found.acknowledged_by
    expect(shown?.includes(by ?? '') ?? false).toBe(acknowledged)
    const texts = (found.comments as readonly { readonly text: string }[]).map(({ text }) => text)
    expect([...texts].sort()).toEqual([...comments].sort())
  }
  const followers = model.filter((it) => it.followed).length
  const count = (acknowledged: boolean) =>
    model.filter((it) => !it.deleted && it.acknowledged === acknowledged).length +
    (acknowledged ? 0 : followers)
  const totals = await Promise.all(
    (['open', 'acknowledged', 'all'] as const).map(
      async (state) => (await incidentViews.rows({ state })).total,
    ),
  )
  expect(totals).toEqual([count(false), count(true), count(false) + count(true)])
  const { rows } = await incidentViews.rows({ state: 'all' })
  expect(rows).toHaveLength(count(false) + count(true))
}
