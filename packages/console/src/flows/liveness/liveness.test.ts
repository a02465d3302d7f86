import { describe, expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { addReceiver } from '../../../test/raise-incident.ts'
import { registeredBird } from '../../../test/birds.ts'
import { databaseTime } from '../../../test/database-time.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { enrolledBird, heartbeat, helloBird } from '../../../test/link-bird.ts'
import { manualClock, type ManualClock } from '../../../test/manual-clock.ts'
import type { Writer } from '../../db/writer.ts'
import { incidentNames } from '../../secrets/incident-name.ts'
import { changeBird } from '../../stores/birds/store.ts'
import { openIncidentRateLimit } from '../raise/incident-rate-limit.ts'
import { openLiveness } from './liveness.ts'

const SECOND = 1000

/** Lets time pass in steps of one check, each finished before the next begins. */
async function pass(rookery: TestConsole, clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5 * SECOND) {
    clock.advance(Math.min(left, 5 * SECOND))
    await rookery.console.liveness?.check()
  }
}

interface Shown {
  summary: string
  description: { name: string; events: { NOTE?: string }[]; node_id: string; src_host: string }
}
const incidents = async (rookery: TestConsole): Promise<Shown[]> =>
  (await rookery.api.incidentQueries.all()).incidents
const summaries = async (rookery: TestConsole) => (await incidents(rookery)).map(({ summary }) => summary)
const alerts = async (rookery: TestConsole): Promise<number> =>
  (await rookery.console.base.reader.selectFrom('delivery').select('delivery_id').execute()).length
const info = async (rookery: TestConsole, node_id: string) =>
  (await rookery.api.birdQueries.info({ node_id })).device

const markSeen = (rookery: TestConsole, clock: ManualClock, nodeId: string): Promise<void> =>
  rookery.console.base.writer.write((tx) =>
    changeBird(tx.query, nodeId, { live: 1, last_seen_at: clock.now() }),
  )

describe.each(engines)('liveness (%s)', (engine) => {
  it('raises one incident for an outage, and one for the return, over the link', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const bird = await enrolledBird(rookery, {}, { clock })
    const { key, nodeId } = bird
    await bird.close()
    await pass(rookery, clock, 110 * SECOND)
    expect(await info(rookery, nodeId)).toMatchObject({ live: 'True' })
    await pass(rookery, clock, 30 * SECOND)
    await expect.poll(() => info(rookery, nodeId)).toMatchObject({ live: 'False', reconnect_count: '0' })
    await pass(rookery, clock, 300 * SECOND)
    expect(await summaries(rookery)).toEqual(['Bird Disconnected'])

    const again = await helloBird(rookery.console.linkUrl, { nodeId }, { key, clock })
    await again.receives('REGISTERED')
    await expect.poll(() => summaries(rookery)).toEqual(['Bird Disconnected', 'Bird Reconnected'])
    expect(await info(rookery, nodeId)).toMatchObject({ live: 'True', reconnect_count: '1' })
    expect((await incidents(rookery))[0]?.description).toMatchObject({
      name: 'nas-02',
      node_id: nodeId,
      src_host: '',
    })
    await again.close()
    await pass(rookery, clock, 200 * SECOND)
    await expect
      .poll(() => summaries(rookery))
      .toEqual(['Bird Disconnected', 'Bird Reconnected', 'Bird Disconnected'])
  })

  it('finds no Bird silent before the console has listened for two minutes, nor after its own pause', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const nodeId = await registeredBird(rookery, { live: 1, last_seen_at: clock.now() - 3_600 * SECOND })
    await pass(rookery, clock, 100 * SECOND)
    expect(await summaries(rookery)).toEqual([])
    await markSeen(rookery, clock, nodeId)
    await pass(rookery, clock, 60 * SECOND)
    expect(await summaries(rookery)).toEqual([])
    await rookery.restart()
    await pass(rookery, clock, 110 * SECOND)
    expect(await summaries(rookery)).toEqual([])
    await pass(rookery, clock, 20 * SECOND)
    await expect.poll(() => summaries(rookery)).toEqual(['Bird Disconnected'])
  })

  it('raises every incident of a mass loss, and alerts one of them', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const { base } = rookery.console
    await addReceiver(rookery, 'https://a.example.com/')
    const nodes: string[] = []
    for (let n = 0; n < 8; n++)
      nodes.push(await registeredBird(rookery, { live: 1, last_seen_at: clock.now(), name: `bird-${n}` }))
    await pass(rookery, clock, 120 * SECOND - SECOND)
    // Six of eight vanish within one round of heartbeats; two stay.
    await base.writer.write(async (tx) => {
      for (const [n, nodeId] of nodes.entries())
        await changeBird(tx.query, nodeId, { last_seen_at: clock.now() - n * 4 * SECOND })
    })
    const stay = nodes.slice(0, 2)
    for (let round = 0; round < 8; round++) {
      await pass(rookery, clock, 20 * SECOND)
      for (const nodeId of stay) await markSeen(rookery, clock, nodeId)
    }
    await expect.poll(async () => (await incidents(rookery)).length).toBe(6)
    const notes = (await incidents(rookery)).map(({ description }) => description.events[0]?.NOTE)
    expect(notes).toEqual(
      Array(6).fill('6 of 8 Birds fell silent at once; one alert speaks for all of them.'),
    )
    expect(await alerts(rookery)).toBe(1)
  })

  it('alerts a mass loss once to each receiver, whatever Flocks the Birds are of', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const { api, console } = rookery
    const { flock_id: berlin } = await api.flocks.create({ name: 'Berlin' })
    const { flock_id: paris } = await api.flocks.create({ name: 'Paris' })
    await addReceiver(rookery, 'https://a.example.com/', { flock_id: berlin })
    await addReceiver(rookery, 'https://b.example.com/', { flock_id: paris })
    // The default Flock, whose Bird falls silent first, has no receiver.
    for (const [n, flock_id] of ['flock:default', berlin, paris, berlin, paris, berlin].entries()) {
      const last_seen_at = clock.now() + n * 4 * SECOND
      await registeredBird(rookery, { live: 1, last_seen_at, flock_id })
    }
    await pass(rookery, clock, 160 * SECOND)
    expect(await summaries(rookery)).toEqual(Array(6).fill('Bird Disconnected'))
    const delivered = await console.base.reader.selectFrom('delivery').select('flock_id').execute()
    expect(delivered.map(({ flock_id }) => flock_id).sort()).toEqual([berlin, paris].sort())
  })

  it('finds no Bird silent whose heartbeats could not be stored', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock }, parts: ['api'] })
    const { base } = rookery.console
    let isAway = false
    const write = (...given: Parameters<Writer['write']>) =>
      isAway ? Promise.reject(new Fault('unavailable', 'The disk is full.')) : base.writer.write(...given)
    const raising = {
      names: incidentNames(base.vault),
      rateLimit: openIncidentRateLimit(),
      quietMs: 86_400 * SECOND,
      announce: () => Promise.resolve(),
    }
    const writer = { ...base.writer, write } as Writer
    const liveness = openLiveness({ ...base, writer, raising, onRaised: () => undefined })
    const passWith = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 5 * SECOND) {
        clock.advance(5 * SECOND)
        await liveness.check()
      }
    }
    const nodeId = await registeredBird(rookery, { live: 1, last_seen_at: clock.now() })
    await passWith(110 * SECOND)
    await markSeen(rookery, clock, nodeId)
    isAway = true
    await passWith(200 * SECOND)
    isAway = false
    await passWith(5 * SECOND)
    expect(await summaries(rookery)).toEqual([])
    await markSeen(rookery, clock, nodeId)
    await passWith(130 * SECOND)
    expect(await summaries(rookery)).toEqual(['Bird Disconnected'])
  })

  it('raises but does not alert what its owner muted', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    await addReceiver(rookery, 'https://a.example.com/')
    const seen = { live: 1, last_seen_at: clock.now() }
    const node = await registeredBird(rookery, { ...seen, ignore_disconnect: 1 })
    await registeredBird(rookery, { ...seen, ignore_general: 1 })
    const coming = await registeredBird(rookery, { ...seen, ignore_reconnect: 1 })
    await pass(rookery, clock, 130 * SECOND)
    expect(await summaries(rookery)).toEqual(Array(3).fill('Bird Disconnected'))
    expect(await alerts(rookery)).toBe(1)
    await markSeen(rookery, clock, node)
    await pass(rookery, clock, 5 * SECOND)
    expect(await summaries(rookery)).toHaveLength(4)
    expect(await alerts(rookery)).toBe(2)
    await markSeen(rookery, clock, coming)
    await pass(rookery, clock, 5 * SECOND)
    expect(await summaries(rookery)).toHaveLength(5)
    expect(await alerts(rookery)).toBe(2)
  })

  it('removes a Bird that was sent its decommission and fell silent', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const node_id = await registeredBird(rookery, { live: 1, last_seen_at: clock.now() })
    expect(await rookery.api.registration.decommission({ node_id })).toMatchObject({ delayed: true })
    await pass(rookery, clock, 130 * SECOND)
    expect((await rookery.get('/device/info', { node_id })).status).toBe(404)
    expect(await summaries(rookery)).toEqual([])
  })
})

it('a console whose clock is 200 s ahead declares no live Bird dead, and no silent one alive (PostgreSQL)', async () => {
  const url = await freshDatabase()
  const time = await databaseTime(url)
  const env = { ROOKERY_DATABASE_URL: url, ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const open = async (offsetMs: number) => {
    const clock = manualClock(time.now() + offsetMs)
    const rookery = await openTestConsole({ env, world: { clock }, time: 'database' })
    return { clock, rookery, bird: await enrolledBird(rookery, {}, { clock }) }
  }
  const right = await open(0)
  const ahead = await open(200 * SECOND)
  const consoles = [right, ahead]
  const seenAt = async ({ rookery, bird }: (typeof consoles)[number]) =>
    (
      await rookery.console.base.reader
        .selectFrom('bird')
        .select('last_seen_at')
        .where('node_id', '=', bird.nodeId)
        .executeTakeFirst()
    )?.last_seen_at
  const passBoth = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 5 * SECOND) {
      await time.advance(5 * SECOND)
      for (const { clock, rookery } of consoles) {
        clock.advance(5 * SECOND)
        await rookery.console.liveness?.check()
      }
    }
  }

  // Long enough that each console believes what it sees, and the difference of the clocks could count as a silence.
  for (let round = 0; round < 7; round++) {
    await passBoth(30 * SECOND)
    for (const one of consoles) {
      const before = await seenAt(one)
      one.bird.send(heartbeat())
      await expect
        .poll(() => {
          one.clock.advance(SECOND / 10)
          return seenAt(one)
        })
        .not.toBe(before)
    }
  }
  expect(await summaries(right.rookery)).toEqual([])
  for (const { bird } of consoles) await bird.close()
  await passBoth(140 * SECOND)
  await expect.poll(() => summaries(right.rookery)).toEqual(Array(2).fill('Bird Disconnected'))
  const fellSilentAt = (await seenAt(right)) ?? 0
  expect(Math.abs(((await seenAt(ahead)) ?? 0) - fellSilentAt)).toBeLessThan(30 * SECOND)
})
