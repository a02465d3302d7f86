import { describe, expect, it } from 'vitest'
import { addReceiver, raiseIncident, loopbackOutbound } from '../../../test/raise-incident.ts'
import { databaseTime } from '../../../test/database-time.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { openProxy } from '../../../test/postgres-proxy.ts'
import { accept, openReceiver, refuse } from '../../../test/receiver.ts'
import { freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const SECOND = 1_000

describe('two consoles on one database', () => {
  it('send each alert once, whichever raised it, and one takes over when the other ends', async () => {
    const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: '5'.repeat(64) }
    const open = (): Promise<TestConsole> =>
      openTestConsole({ env, world: { outbound: loopbackOutbound() }, parts: ['api'] })
    const first = await open()
    await first.console.dispatcher.idle()
    const second = await open()
    const receiver = await openReceiver()
    await addReceiver(first, receiver.url)

    const raised: string[] = []
    for (let i = 0; i < 10; i++) raised.push(await raiseIncident(i % 2 === 0 ? first : second))
    await receiver.tries(10)
    await first.console.stop()
    raised.push(await raiseIncident(second))
    await receiver.tries(11)
    await second.console.dispatcher.idle()
    expect(receiver.alerts.map(({ json }) => json['SourceIP'])).toEqual(raised)
    expect(new Set(receiver.alerts.map(({ id }) => id)).size).toBe(11)
  })

  it('name the source of an incident that the other raised', async () => {
    const clock = manualClock()
    const asked: string[] = []
    const open = async (reverse: () => Promise<string[]>, env: Record<string, string>) => {
      const rookery = await openTestConsole({
        env,
        world: {
          clock,
          outbound: loopbackOutbound(),
          resolver: {
            addresses: () => Promise.resolve([]),
            reverse: (address) => (asked.push(address), reverse()),
          },
        },
        parts: ['api'],
      })
      await rookery.console.dispatcher.idle()
      return rookery
    }
    const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: '5'.repeat(64) }
    const sends = await open(() => Promise.resolve(['scanner.example.net']), env)
    const raises = await open(() => new Promise(() => undefined), env)
    const receiver = await openReceiver()
    await addReceiver(sends, receiver.url)
    // The next look at the outbox is after half a second.
    clock.advance(400)
    await sends.console.dispatcher.idle()
    const token = await raiseIncident(raises, { memo: 'a token' })
    const bird = await raiseIncident(raises)
    clock.advance(100)
    const alerts = await receiver.tries(2)
    expect(alerts.map(({ json }) => [json['SourceIP'], json['ReverseDNS']])).toEqual([
      [token, ''],
      [bird, 'scanner.example.net'],
    ])
    // Once by each console; nobody is asked for a token's visitor.
    expect(asked).toEqual([bird, bird])
  })

  it('keep no alert off when the one that is cut off had a clock 200 s ahead', async () => {
    const proxy = await openProxy()
    const time = await databaseTime(proxy.directUrl)
    const open = async (url: string, offsetMs: number) => {
      const clock = manualClock(time.now() + offsetMs)
      const rookery = await openTestConsole({
        env: { ROOKERY_DATABASE_URL: url, ROOKERY_MASTER_KEY: '5'.repeat(64) },
        world: { clock, outbound: loopbackOutbound() },
        time: 'database',
        parts: ['api'],
      })
      await rookery.console.dispatcher.idle()
      return { clock, rookery }
    }
    const ahead = await open(proxy.url, 200 * SECOND)
    const right = await open(proxy.directUrl, 0)
    const receiver = await openReceiver(refuse(503))
    await addReceiver(right.rookery, receiver.url)
    // The console ahead holds the lease, tries, and notes when it will try again.
    const source = await raiseIncident(ahead.rookery)
    await receiver.tries(1)
    await ahead.rookery.console.dispatcher.idle()
    receiver.behave(accept)
    proxy.hang()

    let passedMs = 0
    await expect
      .poll(async () => {
        await time.advance(SECOND)
        right.clock.advance(SECOND)
        passedMs += SECOND
        await right.rookery.console.dispatcher.idle()
        return receiver.alerts.length
      })
      .toBe(2)
    expect(receiver.alerts.map(({ json }) => json['SourceIP'])).toEqual([source, source])
    // Five seconds for the lease, at most six for the next try, and a look at the outbox.
    expect(passedMs).toBeLessThanOrEqual(30 * SECOND)
    proxy.shut()
    await ahead.rookery.console.stop()
  })
})
