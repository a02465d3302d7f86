import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { readCsv } from '@rookery/kernel/csv/read.ts'
import { readOnlyKey } from '../../../test/read-only-key.ts'
import { ADMIN, engines, ownTestConsole, type TestConsole, type Params } from '../../../test/test-console.ts'
import { registeredBird } from '../../../test/birds.ts'
import { sshLogin } from '../../../test/touches.ts'

const fetchTrail = (rookery: TestConsole, params: Params = {}, key = ADMIN) =>
  rookery.apiAs(key).auditTrail.fetch(params)

const newest = async (rookery: TestConsole) => (await fetchTrail(rookery, { limit: 1 })).audit_trail[0]

const flock_id = 'flock:default'

describe.each(engines)('the audit trail (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('says who changed what, when, from where, and in which Flock', async () => {
    const before = Math.floor(Date.now() / 1000)
    await rookery.api.flockNotes.add({ flock_id, note: 'Third floor' })
    const { global_api_keys } = await rookery.api.apiKeys.list()
    const row = await newest(rookery)
    expect(row).toEqual({
      id: 2,
      timestamp: expect.any(Number) as number,
      action_type: 'flock_notes.add',
      message: 'Set the note of a Flock: flock_id flock:default, note "Third floor".',
      user: global_api_keys[0]?.key_id,
      user_note: global_api_keys[0]?.note,
      user_ip: '127.0.0.1',
      flock_id,
      flock_name: 'Default Flock',
    })
    expect(row?.timestamp).toBeGreaterThanOrEqual(before)
  })

  it('keeps the name that a Flock had, also of one that is gone', async () => {
    const made = await rookery.api.flocks.create({ name: 'Berlin' })
    expect(await newest(rookery)).toMatchObject({ action_type: 'flocks.create', flock_id: made.flock_id })
    await rookery.api.flocks.rename({ flock_id: made.flock_id, name: 'Paris' })
    expect(await newest(rookery)).toMatchObject({ flock_name: 'Berlin' })
    await rookery.api.flocks.remove({ flock_id: made.flock_id })
    expect(await newest(rookery)).toMatchObject({
      action_type: 'flocks.remove',
      flock_id: made.flock_id,
      flock_name: 'Paris',
    })
  })

  it('knows the Flock of a Bird and of an incident', async () => {
    const node_id = await registeredBird(rookery)
    await rookery.console.ingest.fromConsole(sshLogin({ nodeId: node_id }))
    const { incidents } = await rookery.api.incidentQueries.all()
    const incident = incidents[0]?.id ?? ''
    await rookery.api.incidentActions.acknowledge({ incident })
    expect(await newest(rookery)).toMatchObject({
      action_type: 'incident_actions.acknowledge',
      message: expect.stringContaining(incident) as string,
      flock_id,
    })
    await rookery.api.registration.decommission({ node_id })
    expect(await newest(rookery)).toMatchObject({ action_type: 'registration.decommission', flock_id })
  })

  it('says what was done to an incident, and the note of the key, also of one that is gone', async () => {
    for (const srcHost of ['192.0.2.1', '192.0.2.2'])
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost }))
    const { global_api_key: key } = await rookery.api.apiKeys.add({ auth_token_type: 'analyst', note: 'SOC' })
    const { incidents } = await rookery.api.incidentQueries.all()
    const [incident = '', other = ''] = incidents.map(({ id }) => id)
    const analyst = rookery.apiAs(key.auth_token)
    await analyst.incidentActions.acknowledge({ incident })
    await analyst.incidentActions.acknowledge({ incident: other })
    await analyst.incidentActions.unacknowledge({ incident })
    await rookery.api.apiKeys.remove({ key_id: key.key_id })
    await analyst.incidentActions.acknowledge({ incident }).catch(() => undefined)
    const { audit_trail } = await fetchTrail(rookery, { incident })
    expect(audit_trail.map((it) => [it.action_type, it.user, it.user_note])).toEqual([
      ['incident_actions.unacknowledge', key.key_id, 'SOC'],
      ['incident_actions.acknowledge', key.key_id, 'SOC'],
    ])
    const first = await fetchTrail(rookery, { incident, limit: 1 })
    const next = await fetchTrail(rookery, { cursor: first.cursor.next ?? '' })
    expect([...first.audit_trail, ...next.audit_trail]).toEqual(audit_trail)
    expect((await fetchTrail(rookery, { incident: 'incident:nothing' })).audit_trail).toEqual([])
    const [start] = (await fetchTrail(rookery, { user: 'console' })).audit_trail
    expect(start?.user_note).toBe('')
  })

  it('has no row of what was refused, one of what changed nothing, one of what is done in many steps', async () => {
    const { id: before } = (await newest(rookery)) ?? { id: 0 }
    const bad = 'f'.repeat(32)
    for (const [status, path, params, key] of [
      [404, '/flock/note/add', { flock_id: 'flock:nowhere', note: 'n' }, ADMIN],
      [400, '/flock/note/add', { flock_id }, ADMIN],
      [409, '/flock/delete', { flock_id }, ADMIN],
      [400, '/auth_token/add', { auth_token_type: 'root', note: 'n' }, ADMIN],
      [401, '/flock/note/add', { flock_id, note: 'n' }, bad],
    ] as const)
      expect([path, (await rookery.post(path, params, key)).status]).toEqual([path, status])
    expect((await newest(rookery))?.id).toBe(before)
    for (let time = 0; time < 2; time++) await rookery.api.consoleIgnoreLists.enableIps()
    expect((await newest(rookery))?.id).toBe(before + 2)
    await rookery.api.incidentActions.acknowledgeMany({ older_than: '0h' })
    expect(await newest(rookery)).toMatchObject({
      id: before + 3,
      message: 'Acknowledge every incident that matches: older_than 0h.',
    })
  })

  it('has a row for every token of a factory', async () => {
    const { factory_auth } = await rookery.api.tokenFactory.createFactory({ flock_id, memo: 'Build' })
    const factoryKey = /key_id (\w+)/.exec((await newest(rookery))?.message ?? '')?.[1]
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        rookery.apiAs('').tokenFactory.create({ factory_auth, memo: `Host ${n}`, kind: 'http' }),
      ),
    )
    const ids = made.map(({ decoytoken }) => decoytoken.decoytoken)
    const { audit_trail: rows } = await fetchTrail(rookery, { action_type: 'token_factory.create' })
    expect(rows).toHaveLength(30)
    for (const [n, id] of ids.entries()) {
      const row = rows.find(({ message }) => message.includes(id))
      expect(row).toMatchObject({ flock_id, flock_name: 'Default Flock', user: factoryKey })
      expect(row?.message).toContain(`memo "Host ${n}"`)
    }
  })

  it('tells no secret', async () => {
    const headers = { Authorization: 'Bearer a-header-value-4711' }
    await rookery.api.flockWebhooks.addGeneric({
      flock_id,
      url: 'https://alerts.example.com/in/a-secret-path-4712?k=4713',
      headers,
    })
    expect((await newest(rookery))?.message).toBe(
      'Add a generic receiver: flock_id flock:default, url https://alerts.example.com/…, headers (withheld).',
    )
    const { factory_auth } = await rookery.api.tokenFactory.createFactory({ flock_id, memo: 'Build' })
    const added = await rookery.api.apiKeys.add({ auth_token_type: 'analyst', note: 'SOC' })
    const { auth_token } = added.global_api_key
    await rookery.api.tokenFactory.deleteFactory({ factory_auth })
    const trail = JSON.stringify(await fetchTrail(rookery))
    for (const secret of [factory_auth, auth_token, ADMIN, '4711', '4712', '4713'])
      expect([secret, trail.includes(secret)]).toEqual([secret, false])
  })

  it('pages through every row once, both ways, newest first', async () => {
    for (let n = 2; n <= 23; n++) await rookery.api.flockNotes.add({ flock_id, note: `Note ${n}` })
    const ids: number[] = []
    let page = await fetchTrail(rookery, { limit: 5 })
    const pages = [page]
    while (page.cursor.next !== null)
      pages.push((page = await fetchTrail(rookery, { cursor: page.cursor.next })))
    for (const { audit_trail } of pages) ids.push(...audit_trail.map(({ id }) => id))
    expect(ids).toEqual(Array.from({ length: 23 }, (_, n) => 23 - n))
    expect(pages[0]?.cursor.prev).toBeNull()
    const back = await fetchTrail(rookery, { cursor: pages[2]?.cursor.prev ?? '' })
    expect(back.audit_trail).toEqual(pages[1]?.audit_trail)
    const start = await fetchTrail(rookery, { cursor: back.cursor.prev ?? '' })
    expect(start.audit_trail).toEqual(pages[0]?.audit_trail)
    expect(start.cursor.prev).toBeNull()
  })

  it('gives a system that keeps a copy what came since, oldest first', async () => {
    const auth_token = await readOnlyKey(rookery)
    const seen: number[] = []
    let page = await fetchTrail(rookery, { after_id: 0, limit: 4 }, auth_token)
    for (let n = 0; n < 11; n++) await rookery.api.flockNotes.add({ flock_id, note: `Note ${n}` })
    for (;;) {
      seen.push(...page.audit_trail.map(({ id }) => id))
      if (page.audit_trail.length === 0) break
      page = await fetchTrail(rookery, { after_id: seen.at(-1) ?? 0, limit: 4 }, auth_token)
    }
    expect(seen).toEqual(Array.from({ length: 13 }, (_, n) => n + 1))
  })

  it('is filtered by time and by part of what a row says, and as a file has no formula', async () => {
    const { global_api_key } = await rookery.api.apiKeys.add({ auth_token_type: 'admin', note: '=SOC()' })
    const soc = rookery.apiAs(global_api_key.auth_token)
    await soc.flockNotes.add({ flock_id, note: 'Third floor' })
    await rookery.api.flockNotes.add({ flock_id, note: '100%_off' })
    const said = async (params: Params) =>
      (await fetchTrail(rookery, params)).audit_trail.map(({ action_type }) => action_type)
    expect(await said({ filter_str: 'THIRD' })).toEqual(['flock_notes.add'])
    expect(await said({ filter_str: '0%_O' })).toEqual(['flock_notes.add'])
    expect(await said({ filter_str: '=soc(' })).toEqual(['flock_notes.add', 'api_keys.add'])
    expect(await said({ filter_str: 'floor', action_type: 'api_keys.add' })).toEqual([])
    const rows = [...(await fetchTrail(rookery)).audit_trail]
    const hourAgo = String(Math.floor(Date.now() / 1_000) - 3_600)
    expect(await said({ newer_than: hourAgo })).toHaveLength(rows.length)
    expect(await said({ older_than: hourAgo })).toEqual([])
    expect((await rookery.get('/audit_trail/fetch', { newer_than: 'soon' })).status).toBe(400)
    const first = await fetchTrail(rookery, { filter_str: 'note', limit: 1 })
    const next = await fetchTrail(rookery, { cursor: first.cursor.next ?? '' })
    const notes = (await fetchTrail(rookery, { filter_str: 'note' })).audit_trail
    expect([...first.audit_trail, ...next.audit_trail]).toEqual(notes.slice(0, 2))
    const file = await rookery.get('/audit_trail/export', { filter_str: '=soc(' })
    expect(file.headers.get('Content-Disposition')).toContain('audit-trail.csv')
    const [header, ...cells] = [...readCsv(file.text)].map((row) => [...row.cells])
    expect(header?.slice(0, 3)).toEqual(['id', 'time', 'timestamp'])
    expect(cells.map((row) => [row[3], row[6]])).toEqual([
      ['flock_notes.add', "'=SOC()"],
      ['api_keys.add', 'First key'],
    ])
  })

  it('is verified as doctor does, and names the first row that was altered', async () => {
    await rookery.api.flockNotes.add({ flock_id, note: 'n' })
    expect(await rookery.api.auditTrail.verify()).toMatchObject({ is_whole: true, rows: 2, failure: '' })
    await rookery.console.base.writer.write((tx) =>
      sql`UPDATE audit SET message = 'nothing' WHERE id = 2`.execute(tx.query),
    )
    expect(await rookery.api.auditTrail.verify()).toMatchObject({
      is_whole: false,
      rows: 1,
      failure: 'row 2 was altered, or one before it was taken out',
    })
  })

  it('is filtered by action and by user, and refuses a cursor that it did not give', async () => {
    await rookery.api.flockNotes.add({ flock_id, note: 'n' })
    await rookery.api.consoleIgnoreLists.disableIps()
    const by = await fetchTrail(rookery, { action_type: 'flock_notes.add' })
    expect(by.audit_trail.map(({ action_type }) => action_type)).toEqual(['flock_notes.add'])
    const own = await fetchTrail(rookery, { user: 'console' })
    expect(own.audit_trail.map(({ action_type }) => action_type)).toEqual(['console.first_key'])
    for (const cursor of ['x', 'e30.AAAA', ''.padEnd(300, 'a')])
      expect((await rookery.get('/audit_trail/fetch', { cursor })).status).toBe(400)
  })
})
