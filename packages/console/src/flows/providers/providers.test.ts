import { expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { registryOf, tokenWithResource } from '../../../test/provider-tokens.ts'
import { openTestConsole } from '../../../test/test-console.ts'
import { testProvider } from '../../../test/test-provider.ts'
import { readConfig } from '../../config/config.ts'
import { openRaising } from '../../parts/flows.ts'
import { systemClock } from '../../world/system.ts'
import { openProviderWork } from './providers.ts'

it('a console that stops gives the work for providers back within a second, also while one does not answer', async () => {
  const clock = manualClock(systemClock.now())
  const rookery = await openTestConsole({ engine: 'postgres', world: { clock } })
  const { base, ingest } = rookery.console
  await tokenWithResource(rookery, 'card_1')
  const provider = testProvider()
  provider.failure = 'silent'
  const work = openProviderWork({
    ...base,
    ingest,
    registry: registryOf(rookery, provider),
    onRaised: () => undefined,
    raising: openRaising(base, readConfig({})).raising,
  })
  const leases = () =>
    base.reader.selectFrom('lease').select('name').where('name', '=', 'providers').execute()
  await expect.poll(() => provider.positions.length).toBe(1)
  expect(await leases()).toHaveLength(1)
  let isStopped = false
  onTestFinished(() => expect(isStopped).toBe(true))
  const stopped = work.stop().then(() => (isStopped = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(isStopped).toBe(false)
  clock.advance(1_000)
  await stopped
  expect(await leases()).toEqual([])
})
