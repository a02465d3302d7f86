// What a token plants stops working by itself: an incident of the console says so in time.
import { describe, expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { tokenWithResource } from '../../../test/provider-tokens.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { readConfig } from '../../config/config.ts'
import type { EngineName } from '../../db/query.ts'
import { openRaising } from '../../parts/flows.ts'
import { openExpiryWatch } from './expiry.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 10, 23, 9)

async function open(engine: EngineName) {
  const rookery = await openTestConsole({ engine, world: { clock: manualClock(START) } })
  const { base } = rookery.console
  // Its own: a year of the whole console would be a year of its timers.
  const clock = manualClock(START)
  const { raising } = openRaising(base, readConfig({}))
  const watch = openExpiryWatch({
    ...base,
    raising,
    onRaised: () => undefined,
    world: { ...base.world, clock },
    isHeld: () => true,
  })
  onTestFinished(watch.stop)
  return {
    rookery,
    async pass(days: number): Promise<void> {
      clock.advance(days * DAY_MS)
      watch.wake()
      await watch.idle()
    },
    incidents: async () =>
      (await rookery.api.incidentQueries.all()).incidents.map(({ description }) => description),
  }
}

describe.each(engines)('what a token plants (%s)', (engine) => {
  it('is reported once, 30 days before it expires', async () => {
    const { rookery, pass, incidents } = await open(engine)
    const token = await tokenWithResource(rookery, 'app_1', START + 100 * DAY_MS)
    await tokenWithResource(rookery, 'app_2')
    await pass(69)
    expect(await incidents()).toEqual([])
    await pass(2)
    await pass(1)
    await pass(40)
    expect(await incidents()).toMatchObject([
      {
        logtype: '23007',
        events_count: '1',
        events: [{ DECOYTOKEN: token, KIND: 'http', EXPIRES: '2027-03-03 09:00:00 UTC+0000', MEMO: 'm' }],
      },
    ])
  })

  it('is not reported once its token is deleted', async () => {
    const { rookery, pass, incidents } = await open(engine)
    const decoytoken = await tokenWithResource(rookery, 'app_1', START + 100 * DAY_MS)
    await rookery.api.tokens.remove({ decoytoken })
    await pass(90)
    expect(await incidents()).toEqual([])
  })
})
