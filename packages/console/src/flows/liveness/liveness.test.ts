import { describe, expect, it } from 'vitest'
import { addReceiver } from '../../../test/raise-incident.ts'
import { registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { connectBird, hello, newKey } from '../../../test/link-bird.ts'
import { manualClock, type ManualClock } from '../../../test/manual-clock.ts'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { changeBird } from '../../stores/birds/store.ts'

const SECOND = 1000

/** Lets time pass in steps of one check, each finished before the next begins. */
async function pass(house: TestConsole, clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5 * SECOND) {
    clock.advance(Math.min(left, 5 * SECOND))
    await house.console.liveness?.check()
  }
}

interface Shown {
  summary: string
  description: { name: string; events: { NOTE?: string }[]; node_id: string; src_host: string }
}
const incidents = async (house: TestConsole): Promise<Shown[]> =>
  (await house.get('/incidents/all')).json['incidents'] as unknown as Shown[]
const summaries = async (house: TestConsole) => (await incidents(house)).map(({ summary }) => summary)
const alerts = async (house: TestConsole): Promise<number> =>
  (await house.console.base.reader.selectFrom('delivery').select('delivery_id').execute()).length
const info = async (house: TestConsole, node_id: string) =>
  (await house.get('/device/info', { node_id })).json['device']

const markSeen = (house: TestConsole, clock: ManualClock, nodeId: string): Promise<void> =>
  house.console.base.writer.write((tx) =>
    changeBird(tx.query, nodeId, { live: 1, last_seen_at: clock.now() }),
  )

describe.each(engines)('liveness (%s)', (engine) => {
  it('raises one incident for an outage, and one for the return, over the link', async () => {
    const clock = manualClock()
    const house = await openTestConsole({ engine, world: { clock } })
    const key = newKey()
    const { secret } = parseEnrolment(await house.console.enrolLocalBird())
    const bird = await connectBird(house.console.linkUrl, { key, clock })
    bird.send(hello({ enrol: secret }))
    const { nodeId } = await bird.receives('COMMISSIONED')
    await bird.close()
    await pass(house, clock, 110 * SECOND)
    expect(await info(house, nodeId)).toMatchObject({ live: 'True' })
    await pass(house, clock, 30 * SECOND)
    await expect.poll(() => info(house, nodeId)).toMatchObject({ live: 'False', reconnect_count: '0' })
    await pass(house, clock, 300 * SECOND)
    expect(await summaries(house)).toEqual(['Bird Disconnected'])

    const again = await connectBird(house.console.linkUrl, { key, clock })
    again.send(hello({ nodeId }))
    await again.receives('REGISTERED')
    await expect.poll(() => summaries(house)).toEqual(['Bird Disconnected', 'Bird Reconnected'])
    expect(await info(house, nodeId)).toMatchObject({ live: 'True', reconnect_count: '1' })
    expect((await incidents(house))[0]?.description).toMatchObject({
      name: 'nas-02',
      node_id: nodeId,
      src_host: '',
    })
    await again.close()
    await pass(house, clock, 200 * SECOND)
    await expect
      .poll(() => summaries(house))
      .toEqual(['Bird Disconnected', 'Bird Reconnected', 'Bird Disconnected'])
  })

  it('finds no Bird silent before the console has listened for two minutes, nor after its own pause', async () => {
    const clock = manualClock()
    const house = await openTestConsole({ engine, world: { clock } })
    const nodeId = await registeredBird(house, { live: 1, last_seen_at: clock.now() - 3_600 * SECOND })
    await pass(house, clock, 100 * SECOND)
    expect(await summaries(house)).toEqual([])
    await markSeen(house, clock, nodeId)
    await pass(house, clock, 60 * SECOND)
    expect(await summaries(house)).toEqual([])
    await house.restart()
    await pass(house, clock, 110 * SECOND)
    expect(await summaries(house)).toEqual([])
    await pass(house, clock, 20 * SECOND)
    await expect.poll(() => summaries(house)).toEqual(['Bird Disconnected'])
  })

  it('raises every incident of a mass loss, and alerts one of them', async () => {
    const clock = manualClock()
    const house = await openTestConsole({ engine, world: { clock } })
    const { base } = house.console
    await addReceiver(house, 'https://a.example.com/')
    const nodes: string[] = []
    for (let n = 0; n < 8; n++)
      nodes.push(await registeredBird(house, { live: 1, last_seen_at: clock.now(), name: `bird-${n}` }))
    await pass(house, clock, 120 * SECOND - SECOND)
    // Six of eight vanish within one round of heartbeats; two stay.
    await base.writer.write(async (tx) => {
      for (const [n, nodeId] of nodes.entries())
        await changeBird(tx.query, nodeId, { last_seen_at: clock.now() - n * 4 * SECOND })
    })
    const stay = nodes.slice(0, 2)
    for (let round = 0; round < 8; round++) {
      await pass(house, clock, 20 * SECOND)
      for (const nodeId of stay) await markSeen(house, clock, nodeId)
    }
    await expect.poll(async () => (await incidents(house)).length).toBe(6)
    const notes = (await incidents(house)).map(({ description }) => description.events[0]?.NOTE)
    expect(notes).toEqual(
      Array(6).fill('6 of 8 Birds fell silent at once; one alert speaks for all of them.'),
    )
    expect(await alerts(house)).toBe(1)
  })

  it('raises but does not alert what its owner muted', async () => {
    const clock = manualClock()
    const house = await openTestConsole({ engine, world: { clock } })
    await addReceiver(house, 'https://a.example.com/')
    const seen = { live: 1, last_seen_at: clock.now() }
    const node = await registeredBird(house, { ...seen, ignore_disconnect: 1 })
    await registeredBird(house, { ...seen, ignore_general: 1 })
    const coming = await registeredBird(house, { ...seen, ignore_reconnect: 1 })
    await pass(house, clock, 130 * SECOND)
    expect(await summaries(house)).toEqual(Array(3).fill('Bird Disconnected'))
    expect(await alerts(house)).toBe(1)
    await markSeen(house, clock, node)
    await pass(house, clock, 5 * SECOND)
    expect(await summaries(house)).toHaveLength(4)
    expect(await alerts(house)).toBe(2)
    await markSeen(house, clock, coming)
    await pass(house, clock, 5 * SECOND)
    expect(await summaries(house)).toHaveLength(5)
    expect(await alerts(house)).toBe(2)
  })

  it('removes a Bird that was sent its decommission and fell silent', async () => {
    const clock = manualClock()
    const house = await openTestConsole({ engine, world: { clock } })
    const node_id = await registeredBird(house, { live: 1, last_seen_at: clock.now() })
    expect((await house.post('/device/decommission', { node_id })).json).toMatchObject({ delayed: true })
    await pass(house, clock, 130 * SECOND)
    expect((await house.get('/device/info', { node_id })).status).toBe(404)
    expect(await summaries(house)).toEqual([])
  })
})
