import { describe, expect, it } from 'vitest'
import { ADMIN, engines, openTestConsole, type TestConsole, type Params } from '../../../test/test-console.ts'
import { registeredBird } from '../../../test/birds.ts'
import { sshLogin } from '../../../test/touches.ts'

interface TrailRow {
  readonly id: number
  readonly timestamp: number
  readonly action_type: string
  readonly message: string
  readonly user: string
  readonly user_ip: string
  readonly flock_id: string
  readonly flock_name: string
}

interface Trail {
  readonly audit_trail: readonly TrailRow[]
  readonly cursor: {
    readonly next: string | null
    readonly prev: string | null
    readonly next_link: string | null
  }
}

const fetchTrail = async (house: TestConsole, params: Params = {}, key = ADMIN): Promise<Trail> =>
  (await house.get('/audit_trail/fetch', params, key)).json as unknown as Trail

const newest = async (house: TestConsole): Promise<TrailRow | undefined> =>
  (await fetchTrail(house, { limit: 1 })).audit_trail[0]

const flock_id = 'flock:default'

describe.each(engines)('the audit trail (%s)', (engine) => {
  it('says who changed what, when, from where, and in which Flock', async () => {
    const house = await openTestConsole({ engine })
    const before = Math.floor(Date.now() / 1000)
    await house.post('/flock/note/add', { flock_id, note: 'Third floor' })
    const { global_api_keys } = (await house.get('/auth_token/list')).json as unknown as {
      global_api_keys: readonly { key_id: string }[]
    }
    const row = await newest(house)
    expect(row).toEqual({
      id: 2,
      timestamp: expect.any(Number) as number,
      action_type: 'flock_notes.add',
      message: 'Set the note of a Flock: flock_id flock:default, note "Third floor".',
      user: global_api_keys[0]?.key_id,
      user_ip: '127.0.0.1',
      flock_id,
      flock_name: 'Default Flock',
    })
    expect(row?.timestamp).toBeGreaterThanOrEqual(before)
  })

  it('keeps the name that a Flock had, also of one that is gone', async () => {
    const house = await openTestConsole({ engine })
    const made = (await house.post('/flock/create', { name: 'Berlin' })).json as unknown as {
      flock_id: string
    }
    expect(await newest(house)).toMatchObject({ action_type: 'flocks.create', flock_id: made.flock_id })
    await house.post('/flock/rename', { flock_id: made.flock_id, name: 'Paris' })
    expect(await newest(house)).toMatchObject({ flock_name: 'Berlin' })
    await house.post('/flock/delete', { flock_id: made.flock_id })
    expect(await newest(house)).toMatchObject({
      action_type: 'flocks.remove',
      flock_id: made.flock_id,
      flock_name: 'Paris',
    })
  })

  it('knows the Flock of a Bird and of an incident', async () => {
    const house = await openTestConsole({ engine })
    const node_id = await registeredBird(house)
    await house.console.ingest.fromConsole(sshLogin({ nodeId: node_id }))
    const { incidents } = (await house.get('/incidents/all')).json as unknown as {
      incidents: readonly { id: string }[]
    }
    const incident = incidents[0]?.id ?? ''
    await house.post('/incident/acknowledge', { incident })
    expect(await newest(house)).toMatchObject({
      action_type: 'incident_actions.acknowledge',
      message: expect.stringContaining(incident) as string,
      flock_id,
    })
    await house.post('/device/decommission', { node_id })
    expect(await newest(house)).toMatchObject({ action_type: 'registration.decommission', flock_id })
  })

  it('has no row of what was refused, one of what changed nothing, one of what is done in many steps', async () => {
    const house = await openTestConsole({ engine })
    const { id: before } = (await newest(house)) ?? { id: 0 }
    await house.post('/flock/note/add', { flock_id: 'flock:nowhere', note: 'n' })
    await house.post('/flock/note/add', { flock_id })
    await house.post('/flock/delete', { flock_id })
    await house.post('/auth_token/add', { auth_token_type: 'root', note: 'n' })
    await house.call('POST', '/flock/note/add', { flock_id, note: 'n' }, 'f'.repeat(32))
    expect((await newest(house))?.id).toBe(before)
    for (let time = 0; time < 2; time++) await house.post('/settings/whitelisting/enable')
    expect((await newest(house))?.id).toBe(before + 2)
    await house.post('/incidents/acknowledge', { older_than: '0h' })
    expect(await newest(house)).toMatchObject({
      id: before + 3,
      message: 'Acknowledge every incident that matches: older_than 0h.',
    })
  })

  it('has a row for every token of a factory', async () => {
    const house = await openTestConsole({ engine })
    const { factory_auth } = (await house.post('/decoytoken/create_factory', { flock_id, memo: 'Build' }))
      .json as unknown as { factory_auth: string }
    const factoryKey = /key_id (\w+)/.exec((await newest(house))?.message ?? '')?.[1]
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        house.post('/decoytoken/factory/create', { factory_auth, memo: `Host ${n}`, kind: 'http' }, null),
      ),
    )
    const ids = made.map(
      ({ json }) => (json as unknown as { decoytoken: { decoytoken: string } }).decoytoken.decoytoken,
    )
    const { audit_trail: rows } = await fetchTrail(house, { action_type: 'token_factory.create' })
    expect(rows).toHaveLength(30)
    for (const [n, id] of ids.entries()) {
      const row = rows.find(({ message }) => message.includes(id))
      expect(row).toMatchObject({ flock_id, flock_name: 'Default Flock', user: factoryKey })
      expect(row?.message).toContain(`memo "Host ${n}"`)
    }
  })

  it('tells no secret', async () => {
    const house = await openTestConsole({ engine })
    const headers = '{"Authorization":"Bearer a-header-value-4711"}'
    await house.post('/flock/settings/webhooks/generic/add', {
      flock_id,
      url: 'https://alerts.example.com/in/a-secret-path-4712?k=4713',
      headers,
    })
    expect((await newest(house))?.message).toBe(
      'Add a generic receiver: flock_id flock:default, url https://alerts.example.com/…, headers (withheld).',
    )
    const { factory_auth } = (await house.post('/decoytoken/create_factory', { flock_id, memo: 'Build' }))
      .json as unknown as { factory_auth: string }
    const added = await house.post('/auth_token/add', { auth_token_type: 'analyst', note: 'SOC' })
    const { auth_token } = (added.json as unknown as { global_api_key: { auth_token: string } })
      .global_api_key
    await house.post('/decoytoken/delete_factory', { factory_auth })
    const trail = JSON.stringify(await fetchTrail(house))
    for (const secret of [factory_auth, auth_token, ADMIN, '4711', '4712', '4713'])
      expect([secret, trail.includes(secret)]).toEqual([secret, false])
  })

  it('pages through every row once, both ways, newest first', async () => {
    const house = await openTestConsole({ engine })
    for (let n = 2; n <= 23; n++) await house.post('/flock/note/add', { flock_id, note: `Note ${n}` })
    const ids: number[] = []
    let page = await fetchTrail(house, { limit: 5 })
    const pages = [page]
    while (page.cursor.next !== null)
      pages.push((page = await fetchTrail(house, { cursor: page.cursor.next })))
    for (const { audit_trail } of pages) ids.push(...audit_trail.map(({ id }) => id))
    expect(ids).toEqual(Array.from({ length: 23 }, (_, n) => 23 - n))
    expect(pages[0]?.cursor.prev).toBeNull()
    const back = await fetchTrail(house, { cursor: pages[2]?.cursor.prev ?? '' })
    expect(back.audit_trail).toEqual(pages[1]?.audit_trail)
    const start = await fetchTrail(house, { cursor: back.cursor.prev ?? '' })
    expect(start.audit_trail).toEqual(pages[0]?.audit_trail)
    expect(start.cursor.prev).toBeNull()
  })

  it('gives a system that keeps a copy what came since, oldest first', async () => {
    const house = await openTestConsole({ engine })
    const readOnly = await house.post('/auth_token/add', { auth_token_type: 'read-only', note: 'SIEM' })
    const { auth_token } = (readOnly.json as unknown as { global_api_key: { auth_token: string } })
      .global_api_key
    const seen: number[] = []
    let page = await fetchTrail(house, { after_id: 0, limit: 4 }, auth_token)
    for (let n = 0; n < 11; n++) await house.post('/flock/note/add', { flock_id, note: `Note ${n}` })
    for (;;) {
      seen.push(...page.audit_trail.map(({ id }) => id))
      if (page.audit_trail.length === 0) break
      page = await fetchTrail(house, { after_id: seen.at(-1) ?? 0, limit: 4 }, auth_token)
    }
    expect(seen).toEqual(Array.from({ length: 13 }, (_, n) => n + 1))
  })

  it('is filtered by action and by user, and refuses a cursor that it did not give', async () => {
    const house = await openTestConsole({ engine })
    await house.post('/flock/note/add', { flock_id, note: 'n' })
    await house.post('/settings/whitelisting/disable')
    const by = await fetchTrail(house, { action_type: 'flock_notes.add' })
    expect(by.audit_trail.map(({ action_type }) => action_type)).toEqual(['flock_notes.add'])
    const own = await fetchTrail(house, { user: 'console' })
    expect(own.audit_trail.map(({ action_type }) => action_type)).toEqual(['console.first_key'])
    for (const cursor of ['x', 'e30.AAAA', ''.padEnd(300, 'a')])
      expect((await house.get('/audit_trail/fetch', { cursor })).status).toBe(400)
  })
})
