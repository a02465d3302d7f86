// What one Bird reports makes so many new incidents a minute; what is over that is in incidents of many sources, all of it.
import { describe, expect, it } from 'vitest'
import type { SpooledEvent } from '@rookery/link/messages.ts'
import { skippingClock } from '@rookery/bird/test/clocks.ts'
import { batch, enrolledBird, sshEvent } from '../../../test/link-bird.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const address = (n: number): string => `10.7.${n >> 8}.${n & 255}`
const redis = { logtype: '21001', instance: 'redis', dstPort: 6379, fields: { CMD: 'AUTH', ARGS: 'hunter2' } }

/** Each from a source of its own, and numbered as the source is. */
const events = (from: number, upto: number, change: Partial<SpooledEvent> = {}): SpooledEvent[] =>
  Array.from({ length: upto - from + 1 }, (_, n) =>
    sshEvent(from + n, { srcHost: address(from + n), ...change }),
  )

async function openBird(rookery: TestConsole, clock?: { now(): number }) {
  const bird = await enrolledBird(rookery, {}, clock ? { clock } : {})
  let batches = 0
  return {
    nodeId: bird.nodeId,
    /** Resolves once the console has them. */
    async reports(some: SpooledEvent[]): Promise<void> {
      bird.send(batch(some))
      expect((await bird.receives('ACK', ++batches)).upto).toBe(some.at(-1)?.seq)
    },
  }
}

/** Of each logtype: the incidents of single sources, and how many events each incident of many sources has. */
async function incidentsOf({ api }: TestConsole, nodeId: string): Promise<Record<string, unknown>> {
  const { incidents } = await api.incidentQueries.all({ shrink: false, limit: 500 })
  const found: Record<string, { single: number; many: string[] }> = {}
  for (const { description } of incidents) {
    if (description.node_id !== nodeId) continue
    const of = (found[description.logtype] ??= { single: 0, many: [] })
    if (description.src_host === 'many sources') of.many.push(description.events_count)
    else of.single++
  }
  return found
}

describe.each(engines)('the new incidents of a Bird (%s)', (engine) => {
  it('are 200 a minute over all its decoys; the rest is one incident of many sources, each with its address', async () => {
    const clock = skippingClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const [bird, other] = [await openBird(rookery, clock), await openBird(rookery, clock)]
    await bird.reports(events(1, 120))
    await bird.reports(events(121, 260, redis))
    expect(await incidentsOf(rookery, bird.nodeId)).toEqual({
      '4002': { single: 120, many: [] },
      '21001': { single: 80, many: ['60'] },
    })
    const { incidents } = await rookery.api.incidentQueries.all({ shrink: false, limit: 500 })
    const many = incidents.find(({ description }) => description.src_host === 'many sources')
    expect(many?.description.events.map(({ src_host }) => src_host)).toEqual(
      events(201, 260).map(({ srcHost }) => srcHost),
    )
    // What a source does again stays with its incident, and another Bird has a minute of its own.
    await bird.reports(events(261, 261, { srcHost: address(7) }))
    await other.reports(events(1, 3))
    expect(await incidentsOf(rookery, bird.nodeId)).toMatchObject({ '4002': { single: 120, many: [] } })
    expect(await incidentsOf(rookery, other.nodeId)).toEqual({ '4002': { single: 3, many: [] } })

    clock.skip(60_000)
    await bird.reports(events(262, 263, redis))
    expect(await incidentsOf(rookery, bird.nodeId)).toMatchObject({ '21001': { single: 82, many: ['60'] } })
  })

  it('are as many as ROOKERY_BIRD_INCIDENTS_PER_MINUTE says, also more than 200', async () => {
    const few = { ROOKERY_BIRD_INCIDENTS_PER_MINUTE: '3' }
    const rookery = await openTestConsole({ engine, env: few })
    const bird = await openBird(rookery)
    await bird.reports(events(1, 2))
    await bird.reports(events(3, 9, redis))
    expect(await incidentsOf(rookery, bird.nodeId)).toEqual({
      '4002': { single: 2, many: [] },
      '21001': { single: 1, many: ['6'] },
    })
    await rookery.restart({ ROOKERY_BIRD_INCIDENTS_PER_MINUTE: '400' })
    const another = await openBird(rookery)
    await another.reports(events(1, 150))
    await another.reports(events(151, 300, redis))
    expect(await incidentsOf(rookery, another.nodeId)).toEqual({
      '4002': { single: 150, many: [] },
      '21001': { single: 150, many: [] },
    })
  })
})
