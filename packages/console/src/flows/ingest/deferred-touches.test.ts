// Host names: touches that wait until the name of their source is known (decision 0011).
import { describe, expect, it, vi } from 'vitest'
import { engines, freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import {
  ageHeld,
  counted,
  incidents,
  OURS,
  openTouched,
  SCANNER,
  sources,
  zones,
  type Zones,
} from '../../../test/touched.ts'

describe.each(engines)('a touch from a host whose name is ignored (%s)', (engine) => {
  const names = (house: TestConsole, hostnames: string) =>
    house.post('/settings/ignore_hostnames', { hostnames })

  it('raises nothing, and from one whose name ends alike an incident', async () => {
    const { house, touch } = await openTouched({ engine, world: { resolver: zones(OURS).resolver } })
    await names(house, '# ours\nscanners.example.com')
    expect(await touch({ srcHost: SCANNER }, { srcHost: '192.0.2.8' }, { srcHost: '192.0.2.9' })).toBe(3)
    await vi.waitFor(async () => expect(await sources(house)).toEqual(['192.0.2.8 1', '192.0.2.9 1']))
    expect(await counted(house)).toEqual({ hostname: 1 })
    await touch({ srcHost: SCANNER }, { srcHost: '192.0.2.9' })
    expect(await sources(house)).toEqual(['192.0.2.8 1', '192.0.2.9 2'])
    expect(await counted(house)).toEqual({ hostname: 2 })
    await house.post('/settings/ignore_hostnames/disable')
    await touch({ srcHost: SCANNER })
    expect(await sources(house)).toEqual(['192.0.2.7 1', '192.0.2.8 1', '192.0.2.9 2'])
  })

  it('counts when the reverse zone lies: the name does not lead back', async () => {
    const lie: Zones = { ...OURS, reverse: { '203.0.113.66': ['scan1.scanners.example.com'] } }
    const { house, touch } = await openTouched({ engine, world: { resolver: zones(lie).resolver } })
    await names(house, 'scanners.example.com')
    await touch({ srcHost: '203.0.113.66' })
    await vi.waitFor(async () => expect(await sources(house)).toEqual(['203.0.113.66 1']))
    expect(await counted(house)).toEqual({})
  })

  it('is stored and acknowledged at once, and counts when the name takes longer than a second', async () => {
    const slow = zones(OURS, ['198.51.100.1'])
    const { house, touch } = await openTouched({ engine, world: { resolver: slow.resolver } })
    await names(house, 'scanners.example.com')
    await touch({ srcHost: SCANNER })
    await vi.waitFor(async () => expect(await counted(house)).toEqual({ hostname: 1 }))
    const since = Date.now()
    expect(await touch({ srcHost: '198.51.100.1' }, { srcHost: SCANNER, dstPort: 2222 })).toBe(3)
    expect(await counted(house)).toEqual({ hostname: 2 })
    await touch({ srcHost: '198.51.100.1' })
    expect(await sources(house)).toEqual([])
    await vi.waitFor(async () => expect(await sources(house)).toEqual(['198.51.100.1 2']), {
      timeout: 10_000,
    })
    expect(Date.now() - since).toBeGreaterThan(900)
    slow.answer()
  })

  it('is raised by the next console when the first one ended while it waited', async () => {
    const slow = zones(OURS, [SCANNER, '198.51.100.1'])
    const { house, touch } = await openTouched({ engine, world: { resolver: slow.resolver } })
    await names(house, 'scanners.example.com')
    await touch({ srcHost: '198.51.100.1' }, { srcHost: SCANNER }, { srcHost: '198.51.100.1' })
    await ageHeld(house)
    await house.restart()
    slow.answer()
    await vi.waitFor(async () => expect(await sources(house)).toEqual(['198.51.100.1 2']))
    expect(await counted(house)).toEqual({ hostname: 1 })
    const left = await house.console.base.reader.selectFrom('deferred_touch').selectAll().execute()
    expect(left).toEqual([])
  })

  it('counts also among a thousand from one network, whose zones answer nothing, in one incident', async () => {
    const flood = Array.from({ length: 1_000 }, (_, n) => ({ srcHost: `2001:db8:0:1::${n.toString(16)}` }))
    const dead = zones(
      OURS,
      flood.map(({ srcHost }) => srcHost),
    )
    const { house, touch } = await openTouched({ engine, world: { resolver: dead.resolver } })
    await names(house, 'scanners.example.com')
    for (let n = 0; n < flood.length; n += 250) await touch(...flood.slice(n, n + 250))
    await vi.waitFor(
      async () => expect((await incidents(house)).map((it) => it.events_count)).toEqual(['1000']),
      { timeout: 10_000, interval: 200 },
    )
    dead.answer()
  })

  it('to a token raises nothing, and the visitor has an answer before the name is known', async () => {
    const slow = zones(
      { reverse: { '127.0.0.1': ['lab.example.com'] }, forward: { 'lab.example.com': ['127.0.0.1'] } },
      ['127.0.0.1'],
    )
    const house = await openTestConsole({ engine, world: { resolver: slow.resolver } })
    const made = await house.post('/decoytoken/factory/create', { memo: 'm', kind: 'http' })
    const { url } = (made.json as unknown as { decoytoken: { url: string } }).decoytoken
    await names(house, 'example.com')
    for (let n = 0; n < 3; n++) expect((await fetch(url)).status).toBe(200)
    slow.answer()
    await vi.waitFor(async () => expect(await counted(house)).toEqual({ hostname: 3 }))
    expect(await sources(house)).toEqual([])
    // An ignored request starts no visit: once the visitor counts, the next request counts, once.
    await house.post('/settings/ignore_hostnames/disable')
    for (let n = 0; n < 3; n++) expect((await fetch(url)).status).toBe(200)
    expect(await sources(house)).toEqual(['127.0.0.1 1'])
  })

  it('is asked for nothing while the list is off or empty', async () => {
    const known = zones(OURS)
    const { house, touch } = await openTouched({ engine, world: { resolver: known.resolver } })
    await names(house, '# nobody yet')
    await touch({ srcHost: '192.0.2.20' })
    await names(house, 'scanners.example.com')
    await house.post('/settings/ignore_hostnames/disable')
    await touch({ srcHost: '192.0.2.21' })
    expect(await sources(house)).toEqual(['192.0.2.20 1', '192.0.2.21 1'])
    // The one question left is the enrichment's, after the incident.
    expect(new Set(known.asked).size).toBe(known.asked.length)
  })
})

describe('two consoles on one database', () => {
  it('raise once what one of them deferred and the other sweeps', async () => {
    const env = {
      ROOKERY_DATABASE_URL: await freshDatabase(),
      ROOKERY_MASTER_KEY: '0123456789abcdef'.repeat(4),
    }
    const slow = zones(OURS, ['198.51.100.1'])
    const { house, touch } = await openTouched({ env, world: { resolver: slow.resolver } })
    await house.post('/settings/ignore_hostnames', { hostnames: 'scanners.example.com' })
    await touch({ srcHost: '198.51.100.1' }, { srcHost: '198.51.100.1' })
    await ageHeld(house)
    const other = await openTestConsole({ env, world: { resolver: zones(OURS).resolver } })
    await vi.waitFor(async () => expect(await sources(other)).toEqual(['198.51.100.1 2']), {
      timeout: 10_000,
    })
    // The first one is answered, too, and finds nothing left; what comes next tells that it has looked.
    slow.answer()
    await touch({ srcHost: '198.51.100.1', instance: 'later' })
    await vi.waitFor(async () => expect(await sources(house)).toEqual(['198.51.100.1 1', '198.51.100.1 2']), {
      timeout: 10_000,
    })
  })
})
