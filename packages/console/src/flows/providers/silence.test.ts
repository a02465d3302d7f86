// A feed that has fallen silent is an incident of the console.
import { describe, expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { registryOf, tokenWithResource } from '../../../test/provider-tokens.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { testProvider } from '../../../test/test-provider.ts'
import type { EngineName } from '../../db/query.ts'
import { changeFeed } from '../../stores/providers/feeds.store.ts'
import { openRaising } from '../../parts/flows.ts'
import { readConfig } from '../../config/config.ts'
import { openSilenceWatch } from './silence.ts'

const HOUR_MS = 3_600_000

async function open(engine: EngineName) {
  const clock = manualClock()
  const rookery = await openTestConsole({ engine, world: { clock } })
  const { base } = rookery.console
  const start = clock.now()
  const { raising } = openRaising(base, readConfig({}))
  const watch = openSilenceWatch({
    ...base,
    raising,
    onRaised: () => undefined,
    registry: registryOf(rookery, testProvider()),
    heldSince: () => start,
  })
  onTestFinished(watch.stop)
  watch.wake()
  return {
    rookery,
    /** Hours pass; the console examines its feeds every five minutes. */
    async pass(hours: number): Promise<void> {
      for (let n = 0; n < hours; n++) {
        clock.advance(HOUR_MS)
        watch.wake()
        await watch.idle()
      }
    },
    heartbeat: () =>
      base.writer.write((tx) =>
        changeFeed(tx, 'test', { fed_at: clock.now(), silence_raised_at: 0, last_error: 'paid_only' }),
      ),
    incidents: async () =>
      (await rookery.api.incidentQueries.all()).incidents.map(({ description }) => description),
  }
}

describe.each(engines)('the feed of a provider (%s)', (engine) => {
  it('raises one incident for each day without a heartbeat, while a token needs it', async () => {
    const { rookery, pass, heartbeat, incidents } = await open(engine)
    await pass(30)
    expect(await incidents()).toEqual([])
    await tokenWithResource(rookery, 'card_1')
    await pass(23)
    expect(await incidents()).toEqual([])
    await heartbeat()
    await pass(23)
    expect(await incidents()).toEqual([])
    await pass(30)
    expect(await incidents()).toMatchObject([
      {
        logtype: '23005',
        node_id: 'console',
        events: [{ PROVIDER: 'test', TOKENS: 1, REASON: 'paid_only', SINCE: expect.any(String) as string }],
      },
    ])
    await heartbeat()
    await pass(25)
    expect(await incidents()).toHaveLength(2)
  })

  it('is an incident again for tokens that were created after the first one', async () => {
    const { rookery, pass, incidents } = await open(engine)
    const first = await tokenWithResource(rookery, 'card_1')
    await pass(60)
    expect(await incidents()).toHaveLength(1)
    await rookery.api.tokens.remove({ decoytoken: first })
    await tokenWithResource(rookery, 'card_2')
    await pass(23)
    expect(await incidents()).toHaveLength(1)
    await pass(60)
    expect(await incidents()).toHaveLength(2)
  })
})
