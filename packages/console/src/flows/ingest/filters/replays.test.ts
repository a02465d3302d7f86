// The same name again, days later: threat intelligence repeats what it saw.
import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { sources, zones } from '../../../../test/touched.ts'

const DAY_MS = 86_400_000

async function createCommand({ api }: TestConsole) {
  const process_name = 'klist.exe,nltest.exe'
  return (await api.tokens.create({ kind: 'sensitive-cmd', memo: 'db1', process_name })).decoytoken
}

async function lookUp({ console }: TestConsole, name: string, from = '127.0.0.1'): Promise<void> {
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  resolver.setServers([console.dnsAddress ?? ''])
  resolver.setLocalAddress(from)
  await resolver.resolve4(name)
  await Promise.allSettled([resolver.resolve6(name)])
}

const incidents = async ({ api }: TestConsole) => (await api.incidentQueries.all()).incidents
const counts = async (rookery: TestConsole) =>
  (await incidents(rookery)).map(({ description }) => description.events_count)

describe.each(engines)('a look-up with an id that fired before (%s)', (engine) => {
  it('raises nothing, from any resolver and at any time; the first event counts it', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const { decoytoken, hostname } = await createCommand(rookery)
    const name = `cdb1.UN.uroot.CMD.abcdefgh-1.${hostname}`
    await lookUp(rookery, name)
    const [before] = await incidents(rookery)
    expect(before?.description.events).toEqual([
      expect.objectContaining({
        computer: 'db1',
        user: 'root',
        process: 'nltest.exe',
        invocation_id: 'abcdefgh',
      }),
    ])
    clock.advance(3 * DAY_MS)
    await lookUp(rookery, name, '127.0.7.7')
    await rookery.restart()
    await lookUp(rookery, name.toLowerCase(), '127.0.8.8')
    const [after, ...others] = await incidents(rookery)
    expect([after?.description.events_count, others]).toEqual(['1', []])
    expect(after?.description.events).toEqual([
      expect.objectContaining({ computer: 'db1', replays: 2, replayed_from: '127.0.8.8' }),
    ])
    expect(after?.updated_id).toBeGreaterThan(before?.updated_id ?? Infinity)
    expect((await rookery.api.tokens.fetch({ decoytoken })).token.triggered_count).toBe(1)
  })

  it('is another event where the id is another: two computers behind one resolver', async () => {
    const rookery = await openTestConsole({ engine })
    const { hostname } = await createCommand(rookery)
    await lookUp(rookery, `cdb1.UN.uroot.CMD.abcdefgh-0.${hostname}`)
    await lookUp(rookery, `cdb2.UN.uann.CMD.bcdefghi-0.${hostname}`)
    expect(await counts(rookery)).toEqual(['2'])
  })

  it('is one event with its shorter names, which alone are quiet', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken, hostname } = await createCommand(rookery)
    const whole = `cdb1.un.uroot.cmd.abcdefgh-1.${hostname}`.split('.')
    for (let at = 5; at >= 0; at--) await lookUp(rookery, whole.slice(at).join('.'))
    expect(await counts(rookery)).toEqual(['1'])
    const other = await createCommand(rookery)
    await lookUp(rookery, `cmd.abcdefgh-1.${other.hostname}`)
    const historyOf = async (id: string) => (await rookery.api.tokens.history({ decoytoken: id })).history
    await expect.poll(() => historyOf(other.decoytoken)).toMatchObject([{ quiet: true }])
    expect(await historyOf(decoytoken)).toMatchObject([{ quiet: false }])
  })

  it('is counted a few times only, however often it comes', async () => {
    const rookery = await openTestConsole({ engine })
    const { hostname } = await createCommand(rookery)
    const name = `cdb1.UN.uroot.CMD.abcdefgh-1.${hostname}`
    for (let n = 0; n < 20; n++) await lookUp(rookery, name, `127.0.${n}.1`)
    const [incident] = await incidents(rookery)
    expect(incident?.description.events).toMatchObject([{ replays: 16 }])
  })

  it('leaves the first one an alert, also while the name of its resolver is being looked up', async () => {
    const slow = zones({ reverse: {}, forward: {} }, ['127.0.0.1', '127.0.7.7'])
    const rookery = await openTestConsole({ engine, world: { resolver: slow.resolver } })
    await rookery.post('/settings/ignore_hostnames', { hostnames: 'scanners.example.com' })
    const { hostname } = await createCommand(rookery)
    const name = `cdb1.UN.uroot.CMD.abcdefgh-1.${hostname}`
    // Resolvers ask for both kinds of addresses, and again when an answer is late.
    await lookUp(rookery, name)
    await lookUp(rookery, name, '127.0.7.7')
    slow.answer()
    await expect.poll(() => sources(rookery)).toEqual(['127.0.0.1 1'])
  })
})
