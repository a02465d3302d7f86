import { describe, expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'

const events = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({
    seq: from + n,
    touch: { ...sshLogin().touch, at: Date.now() },
  }))

const count = async (rookery: TestConsole): Promise<string | undefined> => {
  const { incidents } = await rookery.api.incidentQueries.all()
  return incidents[0]?.description.events_count
}

describe.each(engines)('ingest of a Bird (%s)', (engine) => {
  it('counts a batch once, however often it comes', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery, {})
    const send = (from: number, to: number): Promise<number> =>
      rookery.console.ingest.fromBird({
        nodeId,
        spoolId: 's1',
        receivedAt: Date.now(),
        events: events(from, to),
      })
    expect(await send(1, 5)).toBe(5)
    expect(await send(1, 5)).toBe(5)
    expect(await Promise.all([send(3, 8), send(6, 9)])).toEqual([8, 9])
    expect(await count(rookery)).toBe('9')
    await rookery.restart()
    expect(await send(5, 10)).toBe(10)
    expect(await count(rookery)).toBe('10')
  })

  it('takes another spool of the same Bird for what it is: new events', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery, {})
    for (const spoolId of ['s1', 's2']) {
      await rookery.console.ingest.fromBird({ nodeId, spoolId, receivedAt: Date.now(), events: events(1, 2) })
    }
    expect(await count(rookery)).toBe('4')
  })

  it('stores nothing of a Bird that is not registered', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery, { state: 'pending' })
    const stored = await rookery.console.ingest.fromBird({
      nodeId,
      spoolId: 's',
      receivedAt: Date.now(),
      events: events(1, 2),
    })
    expect(stored).toBe(0)
    expect(await count(rookery)).toBeUndefined()
  })

  it('bounds what an intruder can make us keep', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery, {})
    const touch = { ...sshLogin().touch, fields: { USERNAME: 'x'.repeat(100_000), PASSWORD: 'a\u0000b' } }
    await rookery.console.ingest.fromBird({
      nodeId,
      spoolId: 's',
      receivedAt: Date.now(),
      events: [{ seq: 1, touch }],
    })
    const { incidents } = await rookery.api.incidentQueries.all()
    const [event] = incidents[0]?.description.events ?? []
    const [, kept = '', left] = /^(x+)…\[\+(\d+) bytes\]$/.exec(String(event?.['USERNAME'])) ?? []
    expect([kept.length > 4_000, kept.length + Number(left)]).toEqual([true, 100_000])
    expect([event?.['PASSWORD'], event?.['truncated']]).toEqual(['a\u0000b', true])
  })

  it('stores what the database refuses in sanitized form, and everything else as it came', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery, {})
    const bad = {
      ...sshLogin().touch,
      srcHost: '203.0.113.9',
      srcPort: Number.NaN,
      fields: { USERNAME: 'r\u00f6\u00f6t' },
    }
    const batch = { nodeId, spoolId: 's', receivedAt: Date.now() }
    const [one, two] = events(1, 2)
    const stored = await Promise.all([
      rookery.console.ingest.fromBird({
        ...batch,
        events: [one!, { seq: 2, touch: bad }, { ...two!, seq: 3 }],
      }),
      rookery.console.ingest.fromConsole(sshLogin({ srcHost: '198.51.100.1' })),
    ])
    expect(stored[0]).toBe(3)
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => description.events_count).sort()).toEqual(['1', '1', '2'])
    const event = incidents.flatMap(({ description }) => description.events).find((it) => it.sanitized)
    expect(event?.USERNAME).toBe('r??t')
  })
})
