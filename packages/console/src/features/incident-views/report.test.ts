import { describe, expect, it } from 'vitest'
import { registeredBird } from '../../../test/birds.ts'
import { manualClock, type ManualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'
import { changeBird } from '../../stores/birds/store.ts'

const SECOND = 1_000
const NONE = { used: 0, tried: 0, looked: 0, house: 0 }

/** Lets time pass in steps of one check of the Birds. */
async function pass(rookery: TestConsole, clock: ManualClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 5 * SECOND) {
    clock.advance(Math.min(left, 5 * SECOND))
    await rookery.console.liveness?.check()
  }
}

const seconds = (ms: number): string => String(Math.floor(ms / SECOND))

describe.each(engines)('the report of a time (%s)', (engine) => {
  it('counts incidents by level and by the last verdict, and how soon they were acknowledged', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const began = clock.now()
    const touch = async (n: number) => {
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `192.0.2.${n}` }, clock.now()))
    }
    // Acknowledged after 10, 20, … 210 s: the slowest are the first.
    for (let n = 1; n <= 21; n++) {
      await touch(n)
      clock.advance(10 * SECOND)
    }
    const say = (n: number, verdict?: 'intruder' | 'test' | 'harmless') =>
      rookery.api.incidentActions.acknowledgeMany({ src_host: `192.0.2.${n}`, ...(verdict && { verdict }) })
    await say(1, 'intruder')
    await say(2, 'test')
    await say(3, 'test')
    for (let n = 4; n <= 21; n++) await say(n)
    // The last word counts, and one that is open again has none.
    clock.advance(SECOND)
    await rookery.api.incidentActions.unacknowledgeMany({ src_host: '192.0.2.3' })
    await say(3, 'harmless')
    await rookery.api.incidentActions.unacknowledgeMany({ src_host: '192.0.2.2' })
    await touch(22)
    clock.advance(SECOND)
    const report = (params: object = {}) =>
      rookery.api.incidentViews.report({ newer_than: seconds(began - SECOND), ...params })
    const { verdicts, acknowledged } = await report()
    expect(verdicts).toEqual([
      { verdict: 'open', ...NONE, tried: 2 },
      { verdict: 'intruder', ...NONE, tried: 1 },
      { verdict: 'test', ...NONE },
      { verdict: 'harmless', ...NONE, tried: 1 },
      { verdict: 'none', ...NONE, tried: 18 },
    ])
    // Without the second: 10 to 180, 210, and the third once more after 191.
    expect(acknowledged).toEqual({ count: 20, median_seconds: 100, p95_seconds: 191 })
    const later = await report({ newer_than: seconds(began + 100 * SECOND) })
    expect(later.acknowledged.count).toBe(10)
    expect(
      (await report({ flock_id: (await rookery.api.flocks.create({ name: 'Other' })).flock_id })).verdicts,
    ).toEqual(verdicts.map(({ verdict }) => ({ verdict, ...NONE })))
    expect((await rookery.get('/incidents/report')).status).toBe(400)
    expect(
      (await rookery.get('/incidents/report', { newer_than: seconds(clock.now() + 60_000) })).status,
    ).toBe(400)
  })

  it('names each time in which a Bird was silent, as far as it lies in the time asked for', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const began = clock.now()
    const hear = (id: string) =>
      rookery.console.base.writer.write((tx) =>
        changeBird(tx.query, id, { live: 1, last_seen_at: clock.now() }),
      )
    const [back, gone] = [
      await registeredBird(rookery, { name: 'back', live: 1, last_seen_at: began }),
      await registeredBird(rookery, { name: 'gone', live: 1, last_seen_at: began }),
    ]
    await pass(rookery, clock, 200 * SECOND)
    await hear(gone)
    await pass(rookery, clock, 100 * SECOND)
    await hear(back)
    await pass(rookery, clock, 300 * SECOND)
    await hear(back)
    await pass(rookery, clock, 5 * SECOND)
    const gapsOf = async (from: number, to?: number) => {
      const { gaps, gaps_total } = await rookery.api.incidentViews.report({
        newer_than: seconds(from),
        ...(to !== undefined && { older_than: seconds(to) }),
      })
      expect(gaps_total).toBe(gaps.length)
      return gaps.map((it) => [it.name, it.from * SECOND - began, it.to * SECOND - began, it.is_open])
    }
    const all = await gapsOf(began - 60 * SECOND)
    expect(all).toEqual([
      ['gone', 200 * SECOND, 605 * SECOND, true],
      ['back', 300 * SECOND, 605 * SECOND, false],
      ['back', 0, 305 * SECOND, false],
      ['gone', 0, 205 * SECOND, false],
    ])
    // It ended before the time, or began behind it.
    expect(await gapsOf(began + 399 * SECOND, began + 500 * SECOND)).toEqual([
      ['back', 399 * SECOND, 500 * SECOND, false],
      ['gone', 399 * SECOND, 500 * SECOND, true],
    ])
  })
})
