import { describe, expect, it } from 'vitest'
import { addReceiver, raiseIncident, loopbackOutbound } from '../../../test/raise-incident.ts'
import { freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { openReceiver } from '../../../test/receiver.ts'

describe('two consoles on one database', () => {
  it('send each alert once, whichever raised it, and one takes over when the other ends', async () => {
    const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: '5'.repeat(64) }
    const open = (): Promise<TestConsole> =>
      openTestConsole({ env, world: { outbound: loopbackOutbound() }, parts: ['api'] })
    const first = await open()
    await first.console.alerts.idle()
    const second = await open()
    const receiver = await openReceiver()
    await addReceiver(first, receiver.url)

    const raised: string[] = []
    for (let i = 0; i < 10; i++) raised.push(await raiseIncident(i % 2 === 0 ? first : second))
    await receiver.tries(10)
    await first.console.stop()
    raised.push(await raiseIncident(second))
    await receiver.tries(11)
    await second.console.alerts.idle()
    expect(receiver.alerts.map(({ json }) => json['SourceIP'])).toEqual(raised)
    expect(new Set(receiver.alerts.map(({ id }) => id)).size).toBe(11)
  })
})
