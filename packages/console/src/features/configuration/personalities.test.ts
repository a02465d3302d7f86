// Personalities over HTTP: what a new Bird shows, what each gives, and what people save under a name.
import { describe, expect, it } from 'vitest'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { pendingBird, registeredBird } from '../../../test/birds.ts'
import { engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'

const settingsOf = async (rookery: TestConsole, node_id: string): Promise<Record<string, unknown>> => ({
  ...(await rookery.api.birdQueries.info({ node_id, settings: true })).device.settings,
})

const servicesOf = async (rookery: TestConsole, node_id: string): Promise<string[]> =>
  Object.entries(await settingsOf(rookery, node_id))
    .filter(
      ([key, value]) => value === true && descriptors.some(({ service }) => key === `${service}.enabled`),
    )
    .map(([key]) => key.replace('.enabled', ''))

const list = async (rookery: TestConsole) => (await rookery.api.configuration.personalities({})).personalities

describe.each(engines)('personalities (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('of a new Bird is the starting one: SSH, web server, FTP and Redis, with port scans noticed, and no other service', async () => {
    const node_id = await registeredBird(rookery)
    expect(await servicesOf(rookery, node_id)).toEqual(['ftp', 'http', 'portscan', 'redis', 'ssh'])
    expect((await settingsOf(rookery, node_id))['device.personality']).toBe('default')
  })

  it('that are built in are listed, and switch other services off', async () => {
    const node_id = await registeredBird(rookery, { name: 'nas-02' })
    await rookery.api.configuration.configure({
      node_id,
      settings: {
        ...(await settingsOf(rookery, node_id)),
        'ssh.port': 2222,
        'rollback.enabled': false,
        'device.gw': '192.0.2.1',
      },
    })
    for (const { name, services, built_in } of await list(rookery)) {
      expect(built_in).toBe(true)
      const { status, json } = await rookery.post('/device/configure_personality', {
        node_id,
        personality: name,
      })
      expect([status, json['msg']]).toEqual([
        200,
        'The Bird is offline: it gets the settings when it reconnects.',
      ])
      expect(await servicesOf(rookery, node_id)).toEqual([...services, 'portscan'].sort())
      expect(await settingsOf(rookery, node_id)).toMatchObject({
        'device.personality': name,
        'device.name': 'nas-02',
        'device.gw': '192.0.2.1',
        'rollback.enabled': false,
        'ssh.port': 22,
      })
    }
  })

  it('say what a scan shows of their machine', async () => {
    const scans = Object.fromEntries((await list(rookery)).map(({ name, scan }) => [name, scan]))
    const lines = (name: string) => scans[name]?.map(({ scan_line }) => scan_line)
    expect(lines('router')).toEqual(
      expect.arrayContaining(['23/tcp open telnet BusyBox telnetd', '80/tcp open http lighttpd 1.4.69']),
    )
    expect(lines('plc')).toEqual([
      '80/tcp open http Apache httpd',
      '502/tcp open modbus Modbus TCP (gateway)',
      '161/udp open snmp SNMPv1 server (public)',
    ])
    expect(lines('printer')).toContain('9100/tcp open jetdirect?')
  })

  it('take additional settings', async () => {
    const node_id = await registeredBird(rookery)
    const give = (additional: object) =>
      rookery.post('/device/configure_personality', {
        node_id,
        personality: 'web-server',
        additional_settings: JSON.stringify(additional),
      })
    expect((await give({ 'http.port': 8080, 'redis.enabled': true })).status).toBe(200)
    expect(await settingsOf(rookery, node_id)).toMatchObject({ 'http.port': 8080, 'redis.enabled': true })
    const before = await settingsOf(rookery, node_id)
    const refused = await give({ 'http.port': 22, 'gopher.enabled': true })
    expect([refused.status, refused.json['details']]).toEqual([
      400,
      {
        'http.port': 'port 22 is also taken by ssh.port; give each a port of its own',
        'gopher.enabled': 'is no setting',
        'ssh.port': 'port 22 is also taken by http.port; give each a port of its own',
      },
    ])
    expect(await settingsOf(rookery, node_id)).toEqual(before)
  })

  it('are saved under a name with the settings of a Bird, and given to another one', async () => {
    const [one, two] = [
      await registeredBird(rookery, { name: 'one', mac_address: '02:00:00:00:00:01' }),
      await registeredBird(rookery, { name: 'two', mac_address: '02:00:00:00:00:02' }),
    ]
    const save = async (name: string, changes: object) =>
      rookery.post('/device/configure', {
        node_id: one,
        settings: JSON.stringify({ ...(await settingsOf(rookery, one)), ...changes }),
        custom_personality_name: name,
      })
    const saved = await save(' Back office ', { 'ftp.banner': 'ProFTPD', 'ssh.enabled': false })
    expect(saved.json['custom_personality_name']).toBe('Back office')
    expect((await settingsOf(rookery, one))['device.personality']).toBe('Back office')
    await rookery.restart()
    expect((await list(rookery)).at(-1)).toMatchObject({
      name: 'Back office',
      built_in: false,
      services: ['ftp', 'http', 'portscan', 'redis'],
    })
    const [a, b] = [await settingsOf(rookery, one), await settingsOf(rookery, two)]
    await rookery.api.configuration.personality({ node_id: two, personality: 'Back office' })
    expect(await settingsOf(rookery, two)).toEqual({
      ...a,
      'device.name': 'two',
      'device.mac': b['device.mac'],
    })
    // The same name again is saved in its place, and what is there is kept.
    await save('Back office', { 'ftp.banner': 'Pure-FTPd' })
    await rookery.api.configuration.personality({ node_id: two, personality: 'Back office' })
    expect((await settingsOf(rookery, two))['ftp.banner']).toBe('Pure-FTPd')
    expect((await list(rookery)).filter(({ built_in }) => !built_in)).toHaveLength(1)
  })

  it('have a name of their own, and those that are not there are a 404', async () => {
    const node_id = await registeredBird(rookery)
    const settings = JSON.stringify(await settingsOf(rookery, node_id))
    for (const [name, reason] of [
      ['web-server', 'must be another name: web-server comes with the console'],
      ['linux-database', 'must be another name: linux-database comes with the console'],
      ['two\nlines', 'must be one line that is not blank'],
      ['x'.repeat(101), expect.stringContaining('text of at most 100 characters') as string],
    ] as const) {
      const { status, json } = await rookery.post('/device/configure', {
        node_id,
        settings,
        custom_personality_name: name,
      })
      expect([status, json['details']]).toEqual([400, { custom_personality_name: reason }])
    }
    for (const personality of ['toaster', 'windows-domain', '__proto__']) {
      const { status, json } = await rookery.post('/device/configure_personality', { node_id, personality })
      expect([status, json['message']]).toEqual([
        404,
        `Personality "${personality}" does not exist: personalities/list has those that do.`,
      ])
    }
    const give = (bird: string) =>
      rookery.post('/device/configure_personality', { node_id: bird, personality: 'web-server' })
    expect((await give('none')).status).toBe(404)
    expect((await give(await pendingBird(rookery))).status).toBe(409)
    expect((await list(rookery)).filter(({ built_in }) => !built_in)).toEqual([])
  })
})
