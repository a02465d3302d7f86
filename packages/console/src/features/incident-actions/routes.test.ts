import { describe, expect, it } from 'vitest'
import { ADMIN, engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'

const keys = async (
  { api }: TestConsole,
  state: 'all' | 'acknowledged' | 'unacknowledged',
): Promise<string[]> => (await api.incidentQueries[state]()).incidents.map(({ id }) => id)

const deleteWithJson = (rookery: TestConsole, body: string): Promise<Response> =>
  fetch(`${rookery.console.apiUrl}/api/v1/incidents/delete`, {
    method: 'DELETE',
    headers: { 'X-Auth-Token': ADMIN, 'Content-Type': 'application/json' },
    body,
  })

describe.each(engines)('incident actions (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('move one incident through its states; only an acknowledged one is deleted', async () => {
    await rookery.console.ingest.fromConsole(sshLogin())
    const [incident = ''] = await keys(rookery, 'unacknowledged')
    const early = await rookery.call('DELETE', '/incident/delete', { incident })
    expect(early.status).toBe(409)
    expect(await rookery.api.incidentActions.acknowledge({ incident })).toMatchObject({
      action: 'acknowledged',
      key: incident,
    })
    expect((await rookery.post('/incident/acknowledge', { incident })).status).toBe(200)
    expect(await keys(rookery, 'acknowledged')).toEqual([incident])
    await rookery.api.incidentActions.unacknowledge({ incident })
    expect(await keys(rookery, 'unacknowledged')).toEqual([incident])
    await rookery.api.incidentActions.acknowledge({ incident })
    expect(await rookery.api.incidentActions.remove({ incident })).toMatchObject({
      action: 'deleted',
    })
    expect(await keys(rookery, 'all')).toEqual([])
    expect((await rookery.post('/incident/delete', { incident })).status).toBe(404)
    const { incidents } = await rookery.api.incidentQueries.sourceHistory({ src_ip: '192.0.2.7' })
    expect(incidents).toMatchObject([{ key: incident, deleted: true }])
  })

  it('say who acknowledged an incident, and when, also after the key is gone', async () => {
    const { global_api_key: key } = await rookery.api.apiKeys.add({ auth_token_type: 'analyst', note: 'SOC' })
    for (const srcHost of ['192.0.2.1', '192.0.2.2'])
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost }))
    const [incident = '', other = ''] = await keys(rookery, 'all')
    /** What lists, search and both forms of a single incident say of it. */
    const said = async (of = incident) => {
      const { incidents } = await rookery.api.incidentQueries.all()
      const found = await rookery.api.incidentQueries.search({ filter_incident_state: 'all' })
      const short = await rookery.api.incidentQueries.fetch({ incident: of })
      const long = await rookery.api.incidentQueries.fetch({ incident: of, extended_details: true })
      return [
        incidents.find(({ id }) => id === of)?.description,
        found.incidents.find((it) => it.key === of),
        short.incident,
        long.incident,
      ].map((it) => [it?.acknowledged_by, it?.acknowledged_at])
    }
    const nobody = Array(4).fill([undefined, undefined])
    expect(await said()).toEqual(nobody)
    const before = Math.floor(Date.now() / 1000)
    await rookery.apiAs(key.auth_token).incidentActions.acknowledge({ incident })
    const [first, ...others] = await said()
    expect(first).toEqual([`SOC (${key.key_id})`, expect.stringMatching(/^\d+$/) as string])
    expect(Number(first?.[1])).toBeGreaterThanOrEqual(before)
    expect(others).toEqual(Array(3).fill(first))
    // It stays that of the first one who did, and of the bulk form for the others.
    await rookery.api.incidentActions.acknowledge({ incident })
    await rookery.apiAs(key.auth_token).incidentActions.acknowledgeMany({ older_than: '0h' })
    await rookery.api.apiKeys.remove({ key_id: key.key_id })
    expect(await said()).toEqual(Array(4).fill(first))
    expect((await said(other))[0]?.[0]).toBe(`SOC (${key.key_id})`)
    await rookery.api.incidentActions.unacknowledge({ incident })
    expect(await said()).toEqual(nobody)
  })

  it('let the next touch of an acknowledged incident begin a new one, which stays the open one', async () => {
    await rookery.console.ingest.fromConsole(sshLogin())
    const [first = ''] = await keys(rookery, 'all')
    await rookery.api.incidentActions.acknowledge({ incident: first })
    await rookery.console.ingest.fromConsole(sshLogin())
    await rookery.api.incidentActions.unacknowledge({ incident: first })
    await rookery.console.ingest.fromConsole(sshLogin())
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => description.events_count).sort()).toEqual(['1', '2'])
    expect(incidents.find(({ id }) => id === first)?.description.events_count).toBe('1')
  })

  it('refuse when events came since the person looked', async () => {
    await rookery.console.ingest.fromConsole(sshLogin())
    const { incidents } = await rookery.api.incidentQueries.all()
    const [seen] = incidents
    await rookery.console.ingest.fromConsole(sshLogin())
    const late = await rookery.post('/incident/acknowledge', {
      incident: seen?.id ?? '',
      updated_id: seen?.updated_id ?? 0,
    })
    expect(late.status).toBe(409)
  })

  it('take a source in any spelling of its address', async () => {
    await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '2001:db8::1' }))
    const [key] = await keys(rookery, 'unacknowledged')
    expect(await rookery.api.incidentActions.acknowledgeMany({ src_host: '2001:DB8:0::1' })).toMatchObject({
      keys: [key],
    })
  })

  it('change many: by source, by age, all of them', async () => {
    for (let n = 0; n < 5; n++)
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }))
    const some = await rookery.api.incidentActions.acknowledgeMany({ src_host: '192.0.2.3' })
    expect(some.keys).toHaveLength(1)
    expect((await rookery.api.incidentActions.acknowledgeMany({ older_than: '1h' })).keys).toEqual([])
    expect((await rookery.api.incidentActions.removeMany({ older_than: '0h' })).keys).toHaveLength(1)
    const rest = await rookery.api.incidentActions.removeMany({
      older_than: '0h',
      include_unacknowledged: true,
    })
    expect(rest.keys).toHaveLength(4)
    expect(await keys(rookery, 'all')).toEqual([])
  })

  it('change those that every kind of filter means, and no others', async () => {
    const touches = [
      { srcHost: '192.0.2.1', nodeId: 'aaaaaaaaaaaaaaaa' },
      { srcHost: '192.0.2.2', nodeId: 'bbbbbbbbbbbbbbbb' },
      { srcHost: '2001:db8::9', nodeId: 'bbbbbbbbbbbbbbbb', logtype: '5001', dstHost: '10.9.9.9' },
    ]
    for (const touch of touches) await rookery.console.ingest.fromConsole(sshLogin(touch))
    const filters: [Record<string, string>, number][] = [
      [{ node_id: 'bbbbbbbbbbbbbbbb' }, 2],
      [{ node_id: 'b' }, 0],
      [{ src_host: '2001:db8::9' }, 1],
      [{ src_host: '192.0.2' }, 0],
      [{ flock_id: 'flock:default' }, 3],
      [{ filter_logtypes: '4002, 9999' }, 2],
      [{ filter_str: 'AAAA' }, 1],
      [{ filter_str: '2.2' }, 1],
      [{ filter_str: '10.9' }, 1],
      [{ filter_str: 'ssh LOGIN' }, 2],
      [{ filter_str: '_' }, 0],
      [{ older_than: '0h' }, 3],
      [{ older_than: '1d' }, 0],
      [{ node_id: 'bbbbbbbbbbbbbbbb', filter_logtypes: '5001', older_than: '0h' }, 1],
    ]
    for (const [filter, count] of filters) {
      const changed = await rookery.api.incidentActions.acknowledgeMany(filter)
      expect([filter, changed.action, changed.keys.length]).toEqual([filter, 'acknowledged', count])
      expect(await keys(rookery, 'acknowledged')).toEqual(expect.arrayContaining(changed.keys))
      await rookery.api.incidentActions.unacknowledgeMany({ older_than: '0h' })
      expect(await keys(rookery, 'acknowledged')).toEqual([])
    }
  })

  it('refuse a filter that came to nothing, and change no incident', async () => {
    await rookery.console.ingest.fromConsole(sshLogin())
    const wrong: [Record<string, string>, number, string][] = [
      [{ flock_id: '' }, 400, 'Empty flock_id'],
      [{ flock_id: ' ' }, 400, 'Empty flock_id'],
      [{ filter_logtypes: ' , ,' }, 400, 'Empty filter_logtypes'],
      [{ floc_id: 'flock:default' }, 400, 'Unknown parameter floc_id: did you mean flock_id?'],
      [{ srcHost: '192.0.2.7' }, 400, 'Unknown parameter srcHost: did you mean src_host?'],
      [{ flock_id: 'flock:none' }, 404, 'Flock does not exist.'],
    ]
    for (const path of ['/incidents/acknowledge', '/incidents/unacknowledge', '/incidents/delete']) {
      const all = { older_than: '0h', ...(path.endsWith('delete') && { include_unacknowledged: true }) }
      for (const [filter, status, message] of wrong) {
        const { status: answered, json } = await rookery.post(path, { ...all, ...filter })
        expect([path, filter, answered, json['message']]).toEqual([path, filter, status, message])
      }
    }
    expect((await rookery.post('/incidents/delete', { nobody: '1' })).json['message']).toMatch(
      /^Unknown parameter nobody: use flock_id, .*include_unacknowledged\.$/,
    )
    for (const filter of [{ flock_id: null }, { filter_logtypes: [] }, { filter_logtypes: ['', ' '] }]) {
      const body = JSON.stringify({ older_than: '0h', include_unacknowledged: true, ...filter })
      expect([filter, (await deleteWithJson(rookery, body)).status]).toEqual([filter, 400])
    }
    expect(await keys(rookery, 'unacknowledged')).toHaveLength(1)
  })

  it('need a selection that makes sense', async () => {
    expect((await rookery.post('/incidents/acknowledge')).status).toBe(400)
    const both = await rookery.post('/incidents/acknowledge', { src_host: '192.0.2.1', node_id: 'x' })
    expect(both.json['message']).toBe('Cannot use src_host and node_id together')
    const span = await rookery.post('/incidents/acknowledge', { older_than: '3 days' })
    expect(span.json['message']).toBe('Parameter older_than was invalid.')
  })
})
