// A visit is one event, whichever console its requests reach, and over a restart.
import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../../test/manual-clock.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'

const ZONE = 'tokens.example.com'

interface Planted {
  readonly path: string
  readonly hostname: string
}

async function plant({ api }: TestConsole, kind: string): Promise<Planted> {
  const { decoytoken } = await api.tokens.create({ kind, memo: 'm', flock_id: 'flock:default' })
  return { path: new URL(decoytoken.url).pathname, hostname: decoytoken.hostname }
}

const open = async ({ console }: TestConsole, { path }: Planted, agent: string): Promise<unknown> =>
  (await fetch(new URL(path, console.tokensUrl), { headers: { 'User-Agent': agent } })).arrayBuffer()

const lookUp = ({ console }: TestConsole, { hostname }: Planted, type: 'A' | 'AAAA'): Promise<unknown> => {
  const resolver = new Resolver()
  resolver.setServers([console.dnsAddress ?? ''])
  return resolver.resolve(hostname, type).catch(() => [])
}

const counts = async ({ api }: TestConsole): Promise<number[]> =>
  (await api.incidentQueries.all()).incidents.map(({ description }) => description.events.length)

describe.each(engines)('a visit of a token (%s)', (engine) => {
  it('goes on over a restart, until it ends', async () => {
    const clock = manualClock(Date.now())
    const rookery = await openTestConsole({ engine, world: { clock } })
    const planted = await plant(rookery, 'http')
    await open(rookery, planted, 'one')
    await rookery.restart()
    await open(rookery, planted, 'one')
    expect(await counts(rookery)).toEqual([1])
    await open(rookery, planted, 'other')
    expect(await counts(rookery)).toEqual([2])
    clock.advance(10_000)
    await rookery.restart()
    await open(rookery, planted, 'one')
    expect(await counts(rookery)).toEqual([3])
  })
})

it('a visit whose requests reach two consoles is one event', async () => {
  const env = {
    ROOKERY_DATABASE_URL: await freshDatabase(),
    ROOKERY_MASTER_KEY: 'ab'.repeat(32),
    ROOKERY_TOKENS_DOMAIN: ZONE,
  }
  const consoles = [await openTestConsole({ env }), await openTestConsole({ env })] as const
  const [first] = consoles
  const byUrl = await plant(first, 'http')
  await Promise.all(['one', 'two', 'three'].flatMap((agent) => consoles.map((it) => open(it, byUrl, agent))))
  expect(await counts(first)).toEqual([3])
  const byName = await plant(first, 'dns')
  await Promise.all([lookUp(consoles[0], byName, 'A'), lookUp(consoles[1], byName, 'AAAA')])
  expect((await counts(first)).sort()).toEqual([1, 3])
})
