// Twenty-one Birds, a release, and a clock that is turned by hand.
import { describe, expect, it } from 'vitest'
import { signedRelease } from '@rookery/link/test/signed-release.ts'
import { registeredBird } from '../../../test/birds.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { readConfig } from '../../config/config.ts'
import type { EngineName } from '../../db/query.ts'
import { openRaising } from '../../parts/flows.ts'
import { endTransfer } from '../../stores/transfers/store.ts'
import { outcomesOf } from '../../stores/transfers/updates.store.ts'
import { addRelease } from './add.ts'
import { openAutomaticUpdates } from './automatic.ts'
import { HEALTHY_MS } from './decide.ts'

const release = signedRelease(undefined, { sensors: ['linux-x64'] })
const BIRDS = 21

async function scene(engine: EngineName, { isEnabled = true } = {}) {
  const clock = manualClock()
  const rookery = await openTestConsole({ engine, world: { clock } })
  const { base } = rookery.console
  const able = { takes_updates: 1, live: 1, sensor: 'linux-x64', version: '3.0.0' }
  const ids: string[] = []
  for (let n = 0; n < BIRDS; n++) {
    // Each is registered at a time of its own.
    clock.advance(1)
    ids.push(await registeredBird(rookery, { ...able, name: `bird-${n}` }))
  }
  // None of these is given it.
  for (const other of [{ live: 0 }, { sensor: 'linux-arm64' }, { takes_updates: 0 }])
    await registeredBird(rookery, { ...able, ...other })
  if (!isEnabled) await rookery.api.updates.disableAutomatic({})
  await addRelease(base, 64 * 1024 * 1024, { ...release, description: '' })
  const { raising } = openRaising(base, readConfig({}))
  const updates = openAutomaticUpdates({ ...base, raising, onRaised: () => undefined })
  const open = async () =>
    (await outcomesOf(base.reader, release.tag)).filter(({ ended_at }) => ended_at === null)
  return {
    rookery,
    ids,
    /** Time passes; answers how many Birds are being updated then. */
    async pass(ms: number): Promise<number> {
      clock.advance(ms)
      updates.wake()
      await updates.idle()
      return (await open()).length
    },
    /** As their Birds say. */
    async end(state: 'applied' | 'failed', reason = ''): Promise<void> {
      for (const { job_id, node_id } of await open())
        await base.writer.write(async (tx) => {
          await endTransfer(tx, job_id, clock.now(), { state, reason })
          const version = state === 'applied' ? '3.1.0' : '3.0.0'
          await tx.query.updateTable('bird').set({ version }).where('node_id', '=', node_id).execute()
        })
    },
    incidents: async () =>
      (await rookery.api.incidentQueries.all()).incidents
        .map(({ description }) => description)
        .filter(({ logtype }) => logtype === '23009'),
  }
}

describe.each(engines)('the automatic update (%s)', (engine) => {
  it('begins with one Bird, ten healthy minutes later a tenth, then all the others', async () => {
    const { rookery, ids, pass, end } = await scene(engine)
    const updatable = async () => (await rookery.api.updates.updatable({})).updatable_devices
    expect(await rookery.api.updates.updatable({})).toMatchObject({ automatic_updates_enabled: true })
    expect(await pass(0)).toBe(1)
    expect((await updatable())?.length).toBe(BIRDS)
    expect((await rookery.api.updates.updating({ flock_id: 'flock:default' })).updating_devices).toEqual([
      ids[0],
    ])
    expect(await pass(HEALTHY_MS * 2)).toBe(1)
    await end('applied')
    expect(await pass(HEALTHY_MS - 1)).toBe(0)
    expect(await pass(1)).toBe(3)
    await end('applied')
    expect(await pass(HEALTHY_MS)).toBe(BIRDS - 4)
    await end('applied')
    expect(await pass(HEALTHY_MS)).toBe(0)
    // The one that is offline: its turn comes when it is back.
    expect((await updatable())?.length).toBe(1)
  })

  it('stops at the first failure with one incident, and goes on when a person lets it', async () => {
    const { rookery, pass, end, incidents } = await scene(engine)
    expect(await pass(0)).toBe(1)
    await end('failed', 'self-test failed: it said nothing')
    expect(await pass(1)).toBe(0)
    expect(await pass(HEALTHY_MS)).toBe(0)
    expect(await incidents()).toMatchObject([
      { events: [{ BIRD: 'bird-0', VERSION: '3.1.0', REASON: 'self-test failed: it said nothing' }] },
    ])
    const { settings } = await rookery.api.consoleSettings.read({})
    expect(settings).toMatchObject({ automatic_updates_stopped: release.tag })
    await rookery.api.updates.resume({})
    expect(await pass(1)).toBe(1)
    await end('applied')
    expect(await pass(HEALTHY_MS)).toBe(3)
    expect(await incidents()).toHaveLength(1)
  })

  it('does nothing while it is switched off, or the release is ignored, and skips a Bird that is being updated', async () => {
    const { rookery, ids, pass } = await scene(engine, { isEnabled: false })
    const [first = ''] = ids
    expect(await pass(HEALTHY_MS)).toBe(0)
    expect(await rookery.api.updates.updatable({})).toMatchObject({ automatic_updates_enabled: false })
    await rookery.api.birdOperations.update({
      node_id: first,
      update_tag: release.tag,
      url: 'http://10.0.0.8/a',
    })
    await rookery.api.updates.ignore({ update_tag: release.tag })
    await rookery.api.updates.enableAutomatic({})
    expect(await pass(HEALTHY_MS)).toBe(0)
    expect((await rookery.api.updates.updatable({})).updatable_devices).toBeNull()
    // Another one begins by itself; the first is not given it twice.
    await rookery.api.updates.unignore({ update_tag: release.tag })
    expect(await pass(1)).toBe(1)
    const { updating_devices } = await rookery.api.updates.updating({ flock_id: 'flock:default' })
    expect(updating_devices).toEqual([first, ids[1]])
  })
})
