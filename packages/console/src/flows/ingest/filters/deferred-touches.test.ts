// Host names: touches that wait until the name of their source is known (decision 0011).
import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../../test/manual-clock.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
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
} from '../../../../test/touched.ts'

async function lookUp({ console }: TestConsole, name: string, from: string): Promise<void> {
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  resolver.setServers([console.dnsAddress ?? ''])
  resolver.setLocalAddress(from)
  await Promise.allSettled([resolver.resolve4(name)])
}

/** Those of each incident of the token. */
const events = async ({ api }: TestConsole, node_id: string) =>
  (await api.incidentQueries.all({ node_id })).incidents.map(({ description }) => description.events)

describe.each(engines)('a touch from a host whose name is ignored (%s)', (engine) => {
  const names = (rookery: TestConsole, hostnames: string) =>
    rookery.post('/settings/ignore_hostnames', { hostnames })

  it('raises nothing, and from one whose name ends alike an incident', async () => {
    const { rookery, touch } = await openTouched({ engine, world: { resolver: zones(OURS).resolver } })
    await names(rookery, '# ours\nscanners.example.com')
    expect(await touch({ srcHost: SCANNER }, { srcHost: '192.0.2.8' }, { srcHost: '192.0.2.9' })).toBe(3)
    await expect.poll(() => sources(rookery)).toEqual(['192.0.2.8 1', '192.0.2.9 1'])
    expect(await counted(rookery)).toEqual({ hostname: 1 })
    await touch({ srcHost: SCANNER }, { srcHost: '192.0.2.9' })
    expect(await sources(rookery)).toEqual(['192.0.2.8 1', '192.0.2.9 2'])
    expect(await counted(rookery)).toEqual({ hostname: 2 })
    await rookery.api.consoleIgnoreLists.disableHostNames()
    await touch({ srcHost: SCANNER })
    expect(await sources(rookery)).toEqual(['192.0.2.7 1', '192.0.2.8 1', '192.0.2.9 2'])
  })

  it('counts when the reverse zone lies: the name does not lead back', async () => {
    const lie: Zones = { ...OURS, reverse: { '203.0.113.66': ['scan1.scanners.example.com'] } }
    const { rookery, touch } = await openTouched({ engine, world: { resolver: zones(lie).resolver } })
    await names(rookery, 'scanners.example.com')
    await touch({ srcHost: '203.0.113.66' })
    await expect.poll(() => sources(rookery)).toEqual(['203.0.113.66 1'])
    expect(await counted(rookery)).toEqual({})
  })

  it('is stored and acknowledged at once, and counts when the name takes longer than a second', async () => {
    const slow = zones(OURS, ['198.51.100.1'])
    const { rookery, touch } = await openTouched({ engine, world: { resolver: slow.resolver } })
    await names(rookery, 'scanners.example.com')
    await touch({ srcHost: SCANNER })
    await expect.poll(() => counted(rookery)).toEqual({ hostname: 1 })
    const since = Date.now()
    expect(await touch({ srcHost: '198.51.100.1' }, { srcHost: SCANNER, dstPort: 2222 })).toBe(3)
    expect(await counted(rookery)).toEqual({ hostname: 2 })
    await touch({ srcHost: '198.51.100.1' })
    expect(await sources(rookery)).toEqual([])
    await expect.poll(() => sources(rookery)).toEqual(['198.51.100.1 2'])
    expect(Date.now() - since).toBeGreaterThan(900)
    slow.answer()
  })

  it('is raised by the next console when the first one ended while it waited', async () => {
    const slow = zones(OURS, [SCANNER, '198.51.100.1'])
    const { rookery, touch } = await openTouched({ engine, world: { resolver: slow.resolver } })
    await names(rookery, 'scanners.example.com')
    await touch({ srcHost: '198.51.100.1' }, { srcHost: SCANNER }, { srcHost: '198.51.100.1' })
    await ageHeld(rookery)
    await rookery.restart()
    slow.answer()
    await expect.poll(() => sources(rookery)).toEqual(['198.51.100.1 2'])
    expect(await counted(rookery)).toEqual({ hostname: 1 })
    const left = await rookery.console.base.reader.selectFrom('deferred_touch').selectAll().execute()
    expect(left).toEqual([])
  })

  it('counts also among a thousand from one network, whose zones answer nothing, in one incident', async () => {
    const flood = Array.from({ length: 1_000 }, (_, n) => ({ srcHost: `2001:db8:0:1::${n.toString(16)}` }))
    const dead = zones(
      OURS,
      flood.map(({ srcHost }) => srcHost),
    )
    const { rookery, touch } = await openTouched({ engine, world: { resolver: dead.resolver } })
    await names(rookery, 'scanners.example.com')
    for (let n = 0; n < flood.length; n += 250) await touch(...flood.slice(n, n + 250))
    await expect
      .poll(async () => (await incidents(rookery)).map((it) => it.events_count), { interval: 200 })
      .toEqual(['1000'])
    dead.answer()
  })

  it('to a token raises nothing, and the visitor has an answer before the name is known', async () => {
    const slow = zones(
      { reverse: { '127.0.0.1': ['lab.example.com'] }, forward: { 'lab.example.com': ['127.0.0.1'] } },
      ['127.0.0.1'],
    )
    const rookery = await openTestConsole({ engine, world: { resolver: slow.resolver } })
    const made = await rookery.api.tokenFactory.create({ memo: 'm', kind: 'http' })
    const { url } = made.decoytoken
    await names(rookery, 'example.com')
    for (let n = 0; n < 3; n++) expect((await fetch(url)).status).toBe(200)
    slow.answer()
    await expect.poll(() => counted(rookery)).toEqual({ hostname: 3 })
    expect(await sources(rookery)).toEqual([])
    // An ignored request starts no visit: once the visitor counts, the next request counts, once.
    await rookery.api.consoleIgnoreLists.disableHostNames()
    for (let n = 0; n < 3; n++) expect((await fetch(url)).status).toBe(200)
    expect(await sources(rookery)).toEqual(['127.0.0.1 1'])
  })

  it('joins the event of the visit that it belongs to, with what it adds', async () => {
    const slow = zones({ reverse: {}, forward: {} }, ['127.0.0.1'])
    const rookery = await openTestConsole({ engine, world: { resolver: slow.resolver } })
    await names(rookery, 'scanners.example.com')
    const { decoytoken, url = '' } = (await rookery.api.tokens.create({ memo: 'm', kind: 'http' })).decoytoken
    for (const query of ['', '?i={"platform":"Linux"}', '']) await fetch(`${url}${query}`)
    expect(await sources(rookery)).toEqual([])
    slow.answer()
    await expect.poll(() => sources(rookery)).toEqual(['127.0.0.1 1'])
    expect(await events(rookery, decoytoken)).toEqual([
      [expect.objectContaining({ additional_info: { platform: 'Linux' } })],
    ])
  })

  it('adds to an event that another look-up of its visit has raised meanwhile', async () => {
    const [first, second] = ['127.0.7.7', '127.0.7.8'].map((source) => zones(OURS, [source]))
    const resolver = {
      ...zones(OURS).resolver,
      reverse: (address: string) =>
        (address === '127.0.7.7' ? first : second)?.resolver.reverse(address) ?? Promise.resolve([]),
    }
    const rookery = await openTestConsole({ engine, world: { resolver, clock: manualClock() } })
    await names(rookery, 'scanners.example.com')
    const { decoytoken, hostname } = (await rookery.api.tokens.create({ memo: 'm', kind: 'dns' })).decoytoken
    // One resolver with two addresses asks for the shorter name first (RFC 9156).
    await lookUp(rookery, hostname, '127.0.7.7')
    await lookUp(rookery, `ojxw65camrrdc.g42.${hostname}`, '127.0.7.8')
    first?.answer()
    await expect.poll(() => sources(rookery)).toEqual(['127.0.7.7 1'])
    const [before] = (await rookery.api.incidentQueries.all({ node_id: decoytoken })).incidents
    expect(before?.description.events?.[0]).not.toHaveProperty('data')
    second?.answer()
    await expect
      .poll(() => events(rookery, decoytoken))
      .toEqual([[expect.objectContaining({ data: 'root@db1' })]])
    const [after, ...others] = (await rookery.api.incidentQueries.all({ node_id: decoytoken })).incidents
    expect([after?.id, after?.description.events_count, others]).toEqual([before?.id, '1', []])
    expect(after?.updated_id).toBeGreaterThan(before?.updated_id ?? Infinity)
    expect((await rookery.api.tokens.fetch({ decoytoken })).token.triggered_count).toBe(1)
  })

  it('is asked for nothing while the list is off or empty', async () => {
    const known = zones(OURS)
    const { rookery, touch } = await openTouched({ engine, world: { resolver: known.resolver } })
    await names(rookery, '# nobody yet')
    await touch({ srcHost: '192.0.2.20' })
    await names(rookery, 'scanners.example.com')
    await rookery.api.consoleIgnoreLists.disableHostNames()
    await touch({ srcHost: '192.0.2.21' })
    expect(await sources(rookery)).toEqual(['192.0.2.20 1', '192.0.2.21 1'])
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
    const { rookery, touch } = await openTouched({ env, world: { resolver: slow.resolver } })
    await rookery.api.consoleIgnoreLists.replaceHostNames({ hostnames: 'scanners.example.com' })
    await touch({ srcHost: '198.51.100.1' }, { srcHost: '198.51.100.1' })
    await ageHeld(rookery)
    const other = await openTestConsole({ env, world: { resolver: zones(OURS).resolver } })
    await expect.poll(() => sources(other)).toEqual(['198.51.100.1 2'])
    // The first one is answered, too, and finds nothing left; what comes next tells that it has looked.
    slow.answer()
    await touch({ srcHost: '198.51.100.1', logtype: '4000' })
    await expect.poll(() => sources(rookery)).toEqual(['198.51.100.1 1', '198.51.100.1 2'])
  })
})
