import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Touch } from '@rookery/kernel/touch.ts'
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

  it('acknowledges and drops what a Bird cannot have seen, counts it, and takes what comes behind it', async () => {
    const lines: { seq?: number; reason?: string; value?: string }[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const rookery = await openTestConsole({ engine, log })
    const nodeId = await addBird(rookery, { registered_at: Date.now() })
    const forged: Partial<Touch>[] = [
      { logtype: '23001' },
      { logtype: '1004' },
      { logtype: '17000', instance: 'http' },
      { instance: 'x'.repeat(64) },
      { srcHost: 'y'.repeat(255) },
    ]
    const touches = [{}, ...Array<Partial<Touch>[]>(10).fill(forged).flat(), {}]
    const stored = await rookery.console.ingest.fromBird({
      nodeId,
      spoolId: 's',
      receivedAt: Date.now(),
      events: touches.map((change, n) => ({ seq: n + 1, touch: { ...sshLogin().touch, ...change } })),
    })
    expect(stored).toBe(52)
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => [description.logtype, description.events_count])).toEqual([
      ['4002', '2'],
    ])
    const metrics = await (await fetch(`${rookery.console.apiUrl}/metrics`)).text()
    for (const [reason, count] of Object.entries({ logtype: 30, instance: 10, address: 10 }))
      expect(metrics).toContain(`rookery_bird_events_refused_total{reason="${reason}"} ${count}\n`)
    const refusals = lines.filter(({ reason }) => reason !== undefined)
    expect(refusals).toHaveLength(10)
    expect(refusals.slice(0, 2)).toMatchObject([
      { nodeId, seq: 2, reason: 'logtype', value: '23001' },
      { nodeId, seq: 3, reason: 'logtype', value: '1004' },
    ])
    expect(Math.max(...refusals.map(({ value = '' }) => value.length))).toBe(80)
  })

  it('remembers the four spools of a Bird that moved last', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery, {})
    let receivedAt = Date.now()
    const send = (spoolId: string, to: number): Promise<number> =>
      rookery.console.ingest.fromBird({ nodeId, spoolId, receivedAt: receivedAt++, events: events(1, to) })
    const spools = async (): Promise<string[]> =>
      (
        await rookery.console.base.reader
          .selectFrom('spool_position')
          .select('spool_id')
          .orderBy('spool_id')
          .execute()
      ).map(({ spool_id }) => spool_id)
    for (const spoolId of ['a', 'b', 'c', 'd']) await send(spoolId, 2)
    await send('a', 3)
    await send('e', 2)
    expect(await spools()).toEqual(['a', 'c', 'd', 'e'])
    expect(await count(rookery)).toBe('11')
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(`f${n + 10}`, 1)))
    expect(await spools()).toEqual(['f26', 'f27', 'f28', 'f29'])
    expect(await count(rookery)).toBe('31')
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
