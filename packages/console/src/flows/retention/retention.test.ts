import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { addReceiver, loopbackOutbound } from '../../../test/raise-incident.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin, subject } from '../../../test/touches.ts'
import { examineBase } from '../../maintenance/doctor.ts'
import { removeDue } from './remove.ts'
import { MANY_SOURCES, surgeKey } from '../../stores/incidents/aggregation.ts'

const DAY = 86_400_000
const flock_id = 'flock:default'

/** Every table of incidents, by how many rows it has. */
async function rowsOf({ console }: TestConsole): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of [
    'incident_fact',
    'incident_state',
    'incident_event',
    'incident_source',
    'incident_comment',
    'search_text',
  ] as const) {
    const { n } = await console.base.reader
      .selectFrom(table)
      .select((it) => it.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    if (Number(n) > 0) counts[table] = Number(n)
  }
  return counts
}

describe.each(engines)('the retention (%s)', (engine) => {
  async function open() {
    const clock = manualClock()
    const rookery = await openTestConsole({
      engine,
      parts: ['api'],
      world: { clock, outbound: loopbackOutbound() },
    })
    await rookery.console.retention.idle()
    /** The incidents that are shown: source and key. */
    const listed = async (): Promise<Map<string, string>> => {
      const { incidents } = await rookery.api.incidentQueries.all({})
      return new Map(incidents.map(({ id, description }) => [description.src_host, id]))
    }
    return {
      rookery,
      clock,
      /** An incident of this source, and its key. */
      async raise(srcHost: string, flockId = flock_id): Promise<string> {
        await rookery.console.ingest.fromConsole({
          ...sshLogin({ srcHost }, clock.now()),
          subject: { ...subject, flockId, name: `bird-${srcHost}` },
        })
        return (await listed()).get(srcHost) ?? ''
      },
      /** So many days later, once the retention has looked. */
      async pass(days: number): Promise<void> {
        clock.leap(days * DAY)
        await rookery.console.retention.idle()
      },
      /** But those of changed settings. */
      sources: async (): Promise<string[]> =>
        [...(await listed()).keys()].filter((it) => it !== '127.0.0.1').sort(),
      trail: async (): Promise<string[]> =>
        (await rookery.api.auditTrail.fetch({})).audit_trail
          .filter(({ action_type }) => /^retention\.(incidents|deliveries)$/.test(action_type))
          .map(({ flock_name, message }) => `${flock_name}: ${message}`)
          .sort(),
    }
  }

  it('keeps everything at first', async () => {
    const { rookery, raise, pass, sources } = await open()
    await rookery.api.incidentActions.acknowledge({ incident: await raise('192.0.2.1') })
    await raise('192.0.2.2')
    await rookery.api.incidentActions.removeMany({ src_host: '192.0.2.2', include_unacknowledged: true })
    const before = await rowsOf(rookery)
    await pass(3_650)
    expect([await sources(), await rowsOf(rookery)]).toEqual([['192.0.2.1'], before])
  })

  it('removes what was acknowledged or deleted and nobody touched since, with all that is stored of it', async () => {
    const { rookery, clock, raise, pass, sources, trail } = await open()
    const { incidentActions, retention } = rookery.api
    await retention.change({ incident_days: 30 })
    await raise('192.0.2.1')
    const left = await rowsOf(rookery)
    const done = await raise('192.0.2.2')
    await incidentActions.acknowledge({ incident: done })
    await raise('192.0.2.3')
    await incidentActions.acknowledgeMany({ src_host: '192.0.2.3', comment: 'Ours' })
    await incidentActions.removeMany({ src_host: '192.0.2.3' })
    const touched = await raise('192.0.2.4')
    await incidentActions.acknowledge({ incident: touched })
    clock.advance(29 * DAY)
    await incidentActions.comment({ incident: touched, comment: 'Still ours' })
    const since = (await rookery.api.incidentQueries.all({})).max_updated_id ?? 0
    await pass(0.5)
    expect(await sources()).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.4'])
    expect([await trail(), await retention.due({})]).toMatchObject([[], { incidents: 0 }])
    expect(await retention.due({ incident_days: 20 })).toMatchObject({ incidents: 2 })
    await pass(1)
    expect(await sources()).toEqual(['192.0.2.1', '192.0.2.4'])
    expect(await trail()).toEqual(['Default Flock: Remove incidents that are done with: count 2, days 30.'])
    expect((await rookery.get('/incident/fetch', { incident: done })).status).toBe(404)
    // Numbers go on, and pollers miss nothing.
    await raise('192.0.2.2')
    const { incidents } = await rookery.api.incidentQueries.all({ incidents_since: since })
    expect(incidents.map(({ description }) => description.src_host)).toEqual(['192.0.2.2'])
    // The counters of the lists follow.
    await incidentActions.removeMany({ src_host: '192.0.2.2', include_unacknowledged: true })
    await incidentActions.removeMany({ src_host: '192.0.2.4', include_unacknowledged: true })
    await pass(31)
    expect(await rowsOf(rookery)).toEqual(left)
    const { flock_summary } = await rookery.api.flockSummaries.one({ flock_id })
    // The other is that of the changed settings.
    expect(flock_summary.incidents_unacknowledged).toBe(2)
    expect((await rookery.api.auditTrail.verify({})).is_whole).toBe(true)
  })

  it('does for a Flock what the Flock says, and has a row of the trail for each', async () => {
    const { rookery, raise, pass, sources, trail } = await open()
    const { incidentActions, retention } = rookery.api
    const { flock_id: plant } = await rookery.api.flocks.create({ name: 'Plant' })
    const { flock_id: office } = await rookery.api.flocks.create({ name: 'Office' })
    await retention.change({ incident_days: 10 })
    expect(await retention.changeFlock({ flock_id: plant, incident_days: 0 })).toMatchObject({
      incident_days: 0,
      delivery_days: -1,
    })
    await retention.changeFlock({ flock_id: office, incident_days: 3 })
    await raise('192.0.2.1')
    await raise('192.0.2.2', plant)
    await raise('192.0.2.3', office)
    await incidentActions.acknowledgeMany({ filter_logtypes: '4002' })
    await pass(4)
    expect(await sources()).toEqual(['192.0.2.1', '192.0.2.2'])
    await pass(7)
    expect(await sources()).toEqual(['192.0.2.2'])
    expect(await trail()).toEqual([
      'Default Flock: Remove incidents that are done with: count 1, days 10.',
      'Office: Remove incidents that are done with: count 1, days 3.',
    ])
    await retention.changeFlock({ flock_id: plant, incident_days: -1 })
    await pass(1)
    expect(await sources()).toEqual([])
  })

  it('takes an incident of thousands of sources and events in steps', async () => {
    const { rookery, clock, raise, pass } = await open()
    await rookery.api.retention.change({ incident_days: 1 })
    const left = await rowsOf(rookery)
    const incident = await raise('192.0.2.1')
    await rookery.api.incidentActions.acknowledge({ incident })
    const { writer, reader } = rookery.console.base
    const { incident_id } = await reader
      .selectFrom('incident_state')
      .select('incident_id')
      .where('src_host', '=', '192.0.2.1')
      .executeTakeFirstOrThrow()
    await writer.write(async (tx) => {
      await tx.updateMany(
        'incident_fact',
        ['incident_id'],
        [{ incident_id, agg_key: surgeKey({ nodeId: '0123456789abcdef', logtype: '4002' }) }],
      )
      await tx.updateMany(
        'incident_state',
        ['incident_id'],
        [{ incident_id, src_host: MANY_SOURCES, events_count: 5_000 }],
      )
      await tx.insertMany(
        'incident_source',
        Array.from({ length: 2_500 }, (_, nth) => ({ incident_id, nth, src_host: `source-${nth}` })),
      )
      const at = clock.now()
      await tx.insertMany(
        'incident_event',
        Array.from({ length: 999 }, (_, n) => ({
          incident_id,
          slot: n + 2,
          nth: n + 2,
          at,
          received_at: at,
          body: '{}',
        })),
      )
    })
    await pass(2)
    expect(await rowsOf(rookery)).toEqual(left)
  })

  it('says with the next run what a run had removed that ended before its row of the trail', async () => {
    const { rookery, clock, raise, pass, sources, trail } = await open()
    const { base } = rookery.console
    await rookery.api.incidentActions.acknowledge({ incident: await raise('192.0.2.1') })
    clock.advance(2 * DAY)
    const writer: typeof base.writer = {
      ...base.writer,
      write: (work, lane, entries) =>
        entries ? Promise.reject(new Error('killed')) : base.writer.write(work, lane),
    }
    const rules = { incident_days: 1, delivery_days: 90, flocks: new Map() }
    const killed = removeDue({ ...base, writer, clock, mayGoOn: () => true }, rules)
    await expect(killed).rejects.toThrow('killed')
    expect([await sources(), await trail()]).toEqual([[], []])
    await rookery.api.incidentActions.acknowledge({ incident: await raise('192.0.2.2') })
    await rookery.api.retention.change({ incident_days: 1 })
    await pass(2)
    expect(await trail()).toEqual(['Default Flock: Remove incidents that are done with: count 2, days 1.'])
    expect((await rookery.api.auditTrail.verify({})).is_whole).toBe(true)
  })

  it('removes deliveries after their days, and drops what waits for an incident that is gone', async () => {
    const { rookery, raise, pass, trail } = await open()
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await raise('192.0.2.1')
    await rookery.console.dispatcher.idle()
    const listed = async () => (await rookery.api.deliveries.list({})).deliveries
    expect(await listed()).toHaveLength(1)
    await pass(89)
    expect(await listed()).toHaveLength(1)
    await pass(2)
    expect(await listed()).toEqual([])
    expect(await trail()).toEqual(['Default Flock: Remove old deliveries: count 1, days 90.'])
  })

  it('refuses days by which a message that is still tried would go', async () => {
    const { rookery } = await open()
    const refused = await rookery.post('/settings/retention', { delivery_days: 3 })
    expect([refused.status, refused.json['details']]).toEqual([
      400,
      { delivery_days: 'must be 0 or at least 7, not 3' },
    ])
    const missing = await rookery.post('/flock/settings/retention', {
      flock_id: 'flock:none',
      incident_days: 3,
    })
    expect(missing.status).toBe(404)
  })

  it('is what `rookery doctor` counts beforehand', async () => {
    const { rookery, clock, raise } = await open()
    await rookery.api.incidentActions.acknowledge({ incident: await raise('192.0.2.1') })
    const finding = async () =>
      (await examineBase(rookery.console.base)).find(({ about }) => about === 'retention')?.text
    expect(await finding()).toBe(
      'incidents that are done with are kept, deliveries go after 90 days: 0 incidents and 0 deliveries would be removed now',
    )
    await rookery.api.retention.change({ incident_days: 30 })
    await rookery.api.retention.changeFlock({ flock_id, incident_days: 5 })
    clock.leap(6 * DAY)
    // Before the console's own look.
    expect(await finding()).toMatch(
      /^incidents that are done with go after 30 days, .*; 1 Flock has days of their own: [01] incidents/,
    )
  })
})
