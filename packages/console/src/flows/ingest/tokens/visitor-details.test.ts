// Visits that one resolver, one machine or one browser makes within the time of a visit, and that say whose they are.
import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'

const create = async ({ api }: TestConsole, kind: string) =>
  (await api.tokens.create({ kind, memo: 'x' })).decoytoken

/** In this order, each when the one before is answered. */
async function lookUp({ console }: TestConsole, ...names: readonly string[]): Promise<void> {
  const resolver = new Resolver({ timeout: 5_000, tries: 1 })
  resolver.setServers([console.dnsAddress ?? ''])
  for (const name of names) {
    await resolver.resolve4(name)
    await Promise.allSettled([resolver.resolve6(name)])
  }
}

const events = async ({ api }: TestConsole, ...keys: readonly string[]) =>
  (await api.incidentQueries.all()).incidents
    .flatMap(({ description }) => description.events)
    .map((event) => keys.map((key) => event[key]).join(' '))
    .sort()

describe.each(engines)('look-ups by one resolver (%s)', (engine) => {
  it.each([
    ['os-dir', 'ini'],
    ['wordproc-macro', 'mac'],
  ])('of two users are two events of %s', async (kind, marker) => {
    const rookery = await openTestConsole({ engine })
    const { hostname } = await create(rookery, kind)
    const below = `${marker}.${hostname}`
    await lookUp(rookery, `alice.pc1.corp.${below}`, `bob.pc2.corp.${below}`, `bob.pc1.corp.${below}`)
    // Again, and in a shorter form.
    await lookUp(rookery, below, `alice.pc1.corp.${below}`)
    expect(await events(rookery, 'user', 'computer', 'domain')).toEqual([
      'alice pc1 corp',
      'bob pc1 corp',
      'bob pc2 corp',
    ])
  })

  it('of a user whose name has dots are one event, which shows the longest', async () => {
    const rookery = await openTestConsole({ engine })
    const { hostname } = await create(rookery, 'os-dir')
    const below = `doe.pc1.corp.ini.${hostname}`
    await lookUp(rookery, below, `pc2.corp.ini.${hostname}`, `van.${below}`, `jane.van.${below}`)
    // Neither a shorter form nor another user takes the place of the first.
    await lookUp(rookery, `van.${below}`, `john.${below}`)
    expect(await events(rookery, 'user', 'qname')).toEqual([`jane.van.doe jane.van.${below}`])
  })
})
