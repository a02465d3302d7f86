import { Compile } from 'typebox/compile'
import { birdQueries } from '@rookery/contract/groups/bird-queries.ts'
import { describe, expect, it } from 'vitest'
import { registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type Params } from '../../../test/test-console.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { sshLogin } from '../../../test/touches.ts'

interface Page {
  readonly cursor: { readonly next: string | null; readonly next_link: string | null }
  readonly devices: readonly { readonly id: string }[]
  readonly updated_std: string
}

const SEEN = Date.parse('2026-11-20T09:39:02Z')
const known = {
  node_id: '0123456789abcdef',
  name: 'nas-02',
  description: 'Third floor',
  location: 'Berlin',
  version: '3.0.0',
  ip_address: '10.0.0.5',
  netmask: '255.255.255.0',
  mac_address: '02:00:00:00:00:05',
  public_ip: '198.51.100.9',
  sensor: 'linux-x64',
  live: 1,
  booted_at: SEEN - 5 * 3_600_000,
  service_count: 4,
}

describe.each(engines)('queries of Birds (%s)', (engine) => {
  it('tells live, dead and never seen Birds apart', async () => {
    const rookery = await openTestConsole({ engine })
    const now = Date.now()
    const live = await registeredBird(rookery, { live: 1, last_seen_at: now })
    const dead = await registeredBird(rookery, { live: 0, registered_at: now - 1000, last_seen_at: now })
    const ghost = await registeredBird(rookery, { live: 0, registered_at: now, last_seen_at: now - 1000 })
    const ids = async (state: 'all' | 'live' | 'dead'): Promise<unknown> => {
      const { feed, devices } = await rookery.api.birdQueries[state]()
      return [feed, devices.map(({ id }) => id).sort()]
    }
    expect(await ids('all')).toEqual(['All Devices', [live, dead, ghost].sort()])
    expect(await ids('live')).toEqual(['Live Devices', [live]])
    expect(await ids('dead')).toEqual(['Dead Devices', [dead]])
    expect((await rookery.api.birdQueries.info({ node_id: ghost })).device).toMatchObject({
      ghost: 'True',
      live: 'False',
    })
    expect((await rookery.api.birdQueries.info({ node_id: dead })).device).toMatchObject({
      ghost: 'False',
    })
  })

  it('come in pages that neither repeat nor skip a Bird, each list by cursors of its own', async () => {
    const rookery = await openTestConsole({ engine })
    const now = Date.now()
    for (let nth = 0; nth < 7; nth++) {
      // Two at a time are first seen in the same millisecond; every third was never seen again.
      const first_seen_at = now - 1_000 + Math.floor(nth / 2)
      const last_seen_at = nth % 3 === 2 ? now - 500 : now
      const live = nth === 0 ? 1 : 0
      await registeredBird(rookery, { live, first_seen_at, registered_at: now - 100, last_seen_at })
    }
    for (const list of ['all', 'live', 'dead'] as const) {
      const whole = (await rookery.get(`/devices/${list}`)).json
      const wanted = (whole['devices'] as unknown as { id: string }[]).map(({ id }) => id)
      expect(wanted.length).toBe({ all: 7, live: 1, dead: 4 }[list])
      expect(whole['cursor']).toBeUndefined()
      for (const limit of [1, 2, wanted.length, 9_000]) {
        const seen: string[] = []
        let next: string | null = null
        do {
          const params: Params = next === null ? { limit, tz: 'Asia/Tokyo' } : { cursor: next }
          const page = (await rookery.get(`/devices/${list}`, params)).json as unknown as Page
          expect(page.updated_std).toMatch(/UTC\+0900$/)
          expect(page.devices.length).toBeLessThanOrEqual(limit)
          seen.push(...page.devices.map(({ id }) => id))
          next = page.cursor.next
          if (next !== null) {
            expect(page.cursor.next_link).toBe(
              `${rookery.console.apiUrl}/api/v1/devices/${list}?cursor=${next}`,
            )
            const other = list === 'all' ? 'dead' : 'all'
            expect((await rookery.get(`/devices/${other}`, { cursor: next })).status).toBe(400)
          }
        } while (next !== null)
        expect([list, limit, seen]).toEqual([list, limit, wanted])
      }
    }
    expect((await rookery.get('/devices/all', { limit: 0 })).status).toBe(400)
  })

  it('shows a Bird in every form as the specification has it', async () => {
    const rookery = await openTestConsole({ engine, world: { clock: manualClock(SEEN + 16_000) } })
    await registeredBird(rookery, { ...known, last_seen_at: SEEN, updated_at: SEEN })
    const list = await rookery.api.birdQueries.all({ tz: 'Europe/Berlin' })
    expect([...Compile(birdQueries.all.answer).Errors(list)]).toEqual([])
    const { device } = await rookery.api.birdQueries.info({ node_id: known.node_id })
    const alias = await rookery.get('/device/getinfo', { node_id: known.node_id })
    expect(alias.json['device']).toEqual(device)
    expect(device['current_settings']).toMatch(/^devicesettings:[0-9a-f]{24}:1795167558$/)
    expect(device['device_id_hash']).toMatch(/^[0-9a-f]{24}$/)
    const stable = { ...device, current_settings: 'as above', device_id_hash: 'as above' }
    const golden = (value: object): string => JSON.stringify(value, null, 2) + '\n'
    await expect(golden(list)).toMatchFileSnapshot('golden/list.json')
    await expect(golden(stable)).toMatchFileSnapshot('golden/info.json')
  })

  it('lists what people and clouds wrote as they wrote it, and a name adds no member', async () => {
    const rookery = await openTestConsole({ engine })
    const odd = `a","live":false,"b\\ \t\n\u007f ü 🦜 \u2028`
    const texts = {
      name: odd,
      description: odd,
      location: odd,
      note: odd,
      version: odd,
      ippers: odd,
      sensor: odd,
    }
    const environment = JSON.stringify({ cloud_zone: odd, elsewhere: 'x' })
    const id = await registeredBird(rookery, { ...texts, environment, live: 1, ignore_disconnect: 1 })
    const { devices } = await rookery.api.birdQueries.all()
    expect(devices).toEqual([
      expect.objectContaining({ ...texts, id, cloud_zone: odd, cloud_project: '', live: true }),
    ])
    expect(devices[0]).toMatchObject({
      ignore_notifications: false,
      ignore_notifications_disconnects: true,
      ignore_notifications_reconnects: false,
    })
    expect(devices[0]).not.toHaveProperty('elsewhere')
    expect(devices[0]).not.toHaveProperty('b')
  })

  it('adds settings and open incidents to one Bird when asked', async () => {
    const rookery = await openTestConsole({ engine })
    await registeredBird(rookery, known)
    await rookery.console.ingest.fromConsole(sshLogin())
    const asked = { node_id: known.node_id, settings: true }
    const device = (await rookery.api.birdQueries.info(asked)).device
    expect(device.settings).toMatchObject({
      'device.name': 'nas-02',
      'ssh.enabled': true,
      'ssh.port': 22,
      'device.mac': '02:00:00:00:00:05',
    })
    expect(device.unacknowleged_incidents).toMatchObject([
      { summary: 'SSH Login Attempt', description: { events: [{ USERNAME: 'root', PASSWORD: 'toor' }] } },
    ])
    const [open] = device.unacknowleged_incidents
    expect(open).toHaveProperty('key', open?.id)
    const fixedOut = (await rookery.api.birdQueries.info({ ...asked, exclude_fixed_settings: true })).device
    expect(fixedOut.settings).not.toHaveProperty(['device.mac'])
    expect(fixedOut.settings).toHaveProperty(['device.name'])
    expect((await rookery.api.birdQueries.info({ node_id: known.node_id })).device).not.toHaveProperty(
      'settings',
    )
  })

  it('finds Birds by any part, in any case, with % as itself', async () => {
    const rookery = await openTestConsole({ engine })
    await registeredBird(rookery, { ...known, name: 'ÄRGER 100%' })
    const found = async (filter_str: string) =>
      (await rookery.api.birdQueries.filter({ filter_str })).devices.length
    for (const text of ['', 'ärger', '100%', '0.0.5', '02:00:', 'THIRD', known.node_id])
      expect([text, await found(text)]).toEqual([text, 1])
    for (const text of ['%%', 'x']) expect([text, await found(text)]).toEqual([text, 0])
    // No record shows a private address as the public one, so none is found by it.
    await registeredBird(rookery, { public_ip: '127.0.0.1' })
    for (const [text, count] of [
      ['198.51.100', 1],
      ['127.0', 0],
    ] as const)
      expect([text, await found(text)]).toEqual([text, count])
    const limited = async (limit: number) =>
      (await rookery.api.birdQueries.filter({ filter_str: '', limit })).devices.map(({ name }) => name)
    expect(await limited(1)).toEqual(['ÄRGER 100%'])
    expect(await limited(9)).toHaveLength(2)
  })

  it('lists addresses by Flock, and as text to download', async () => {
    const rookery = await openTestConsole({ engine })
    await registeredBird(rookery, known)
    expect(await rookery.api.birdQueries.ips()).toEqual({
      result: 'success',
      ips: {
        'flock:default': {
          name: 'Default Flock',
          devices: { [known.node_id]: { ip_address: '10.0.0.5', name: 'nas-02' } },
        },
      },
    })
    const plain = await rookery.get('/device/ips', { download: true })
    expect([plain.text, plain.headers.get('content-disposition'), plain.headers.get('content-type')]).toEqual(
      ['10.0.0.5\n', 'attachment; filename=bird_ips.txt', 'text/plain; charset=utf-8'],
    )
    expect((await rookery.get('/device/ips', { download: true, include_annotations: true })).text).toBe(
      '# Default Flock\n10.0.0.5 # nas-02\n',
    )
    expect((await rookery.get('/device/ips', { flock_id: 'flock:none' })).status).toBe(404)
  })

  it('annotates every line with the names as they are now, and a name can forge no line', async () => {
    const rookery = await openTestConsole({ engine })
    const berlin = String((await rookery.api.flocks.create({ name: 'Old' })).flock_id)
    await registeredBird(rookery, {
      flock_id: berlin,
      ip_address: '10.0.0.8, 10.0.0.9',
      name: 'till\n192.0.2.1',
    })
    await registeredBird(rookery, { flock_id: berlin, ip_address: '', name: 'unseen' })
    await registeredBird(rookery, { ip_address: '10.0.0.5', name: 'nas' })
    const text = async (params: Record<string, string | boolean>): Promise<string> =>
      (await rookery.get('/device/ips', { download: true, ...params })).text
    const annotated = { include_annotations: true, flock_id: berlin }
    expect(await text(annotated)).toBe('# Old\n10.0.0.8 # till 192.0.2.1\n10.0.0.9 # till 192.0.2.1\n')
    await rookery.api.flocks.rename({ flock_id: berlin, name: 'Berlin' })
    expect(await text(annotated)).toMatch(/^# Berlin\n/)
    expect((await text({})).split('\n').sort()).toEqual(['', '10.0.0.5', '10.0.0.8', '10.0.0.9'])
  })

  it('answers an unknown Bird with 404 and a wrong zone with 400', async () => {
    const rookery = await openTestConsole({ engine })
    const missing = await rookery.get('/device/info', { node_id: 'ffffffffffffffff' })
    expect([missing.status, missing.json['message']]).toEqual([404, 'Bird not found'])
    expect((await rookery.get('/devices/all', { tz: 'Mars/Olympus' })).status).toBe(400)
  })
})
