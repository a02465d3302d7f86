// Several Birds at once, and settings that are only checked.
import { describe, expect, it } from 'vitest'
import { registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const settingsOf = async ({ api }: TestConsole, node_id: string) => ({
  ...(await api.birdQueries.info({ node_id, settings: true })).device.settings,
})

describe.each(engines)('settings of several Birds (%s)', (engine) => {
  it('change in each on top of its own, with a bundle and an incident each', async () => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Berlin' })
    const ids = [await registeredBird(rookery, { flock_id }), await registeredBird(rookery, { flock_id })]
    const other = await registeredBird(rookery)
    const [first = '', second = ''] = ids
    await rookery.api.configuration.configure({
      node_id: first,
      merge: true,
      settings: { 'http.port': 8080 },
    })
    // Each change of settings raises an incident while these alerts are on.
    const switched = await rookery.post('/settings/change_control/device_settings/enable')
    expect(switched.status).toBe(200)
    const { bundle_tags } = await rookery.api.configuration.configureMany({
      flock_id,
      settings: { 'ssh.port': 2222 },
    })
    expect(Object.keys(bundle_tags).sort()).toEqual(ids.toSorted())
    for (const node_id of ids) {
      const { bundle } = await rookery.api.configuration.bundle({ bundle_tag: bundle_tags[node_id] ?? '' })
      expect([bundle.node_id, bundle.state]).toEqual([node_id, 'waiting'])
    }
    const { incidents } = await rookery.api.incidentQueries.all()
    const raised = incidents.filter(({ description }) => description.logtype === '23002')
    expect(raised.map(({ description }) => description.node_id).sort()).toEqual(ids.toSorted())
    expect(await settingsOf(rookery, first)).toMatchObject({ 'ssh.port': 2222, 'http.port': 8080 })
    expect(await settingsOf(rookery, second)).toMatchObject({ 'ssh.port': 2222, 'http.port': 80 })
    expect(await settingsOf(rookery, other)).toMatchObject({ 'ssh.port': 22 })
  })

  it('change in all of them or in none, and names and addresses in none', async () => {
    const rookery = await openTestConsole({ engine })
    const ids = [await registeredBird(rookery), await registeredBird(rookery)]
    const [first = '', second = ''] = ids
    await rookery.api.configuration.configure({
      node_id: second,
      merge: true,
      settings: { 'http.port': 2222 },
    })
    const refused = async (settings: object, node_ids = ids.join(',')) => {
      const { status, json } = await rookery.post('/devices/configure', {
        node_ids,
        settings: JSON.stringify(settings),
      })
      return [status, json['details'], String(json['message'])] as const
    }
    const [status, details, message] = await refused({ 'ssh.port': 2222 })
    expect(status).toBe(400)
    expect(details).toMatchObject({ 'ssh.port': expect.stringContaining('http.port') as string })
    expect(message).toContain(`Bird bird-${second.slice(0, 4)}`)
    expect(await settingsOf(rookery, first)).toMatchObject({ 'ssh.port': 22 })
    for (const key of ['device.name', 'device.ip_address', 'https.key'])
      expect([key, (await refused({ [key]: 'x' }))[1]]).toEqual([
        key,
        { [key]: 'belongs to one Bird: change it there' },
      ])
    expect((await refused({}))[0]).toBe(400)
    expect((await refused({ 'ssh.port': 2222 }, ','))[0]).toBe(400)
    expect((await refused({ 'ssh.port': 2222 }, `${first},nobody`))[0]).toBe(404)
    const many = Array.from({ length: 1_001 }, (_, n) => String(n)).join(',')
    expect((await refused({ 'ssh.port': 2222 }, many))[1]).toEqual({
      node_ids: 'must name at most 1000 Birds, not 1001',
    })
  })

  it('that are only checked have the same faults, and change nothing', async () => {
    const rookery = await openTestConsole({ engine })
    const node_id = await registeredBird(rookery)
    const before = await settingsOf(rookery, node_id)
    const sent = (await rookery.api.configuration.bundles({ node_id })).bundles.length
    const check = (settings: object) =>
      rookery.post('/device/configure', {
        node_id,
        settings: JSON.stringify(settings),
        merge: true,
        check_only: true,
      })
    expect((await check({ 'ssh.port': 80 })).json['details']).toMatchObject({
      'ssh.port': expect.stringContaining('http.port') as string,
    })
    const right = await check({ 'ssh.port': 2222 })
    expect([right.status, right.json['bundle_tag']]).toEqual([200, ''])
    expect(await settingsOf(rookery, node_id)).toEqual(before)
    expect((await rookery.api.configuration.bundles({ node_id })).bundles).toHaveLength(sent)
  })

  it('of a personality are shown as a port scan sees them', async () => {
    const rookery = await openTestConsole({ engine })
    const { personalities } = await rookery.api.configuration.personalities({})
    const scan = personalities.find(({ name }) => name === 'web-server')?.scan
    expect(scan?.map(({ service, port }) => [service, port])).toEqual([
      ['http', 80],
      ['https', 443],
      ['ssh', 22],
    ])
    expect(scan?.[0]?.scan_line).toMatch(/^80\/tcp open http /)
  })
})
