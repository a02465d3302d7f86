import { expect, test } from 'vitest'
import { openCosts } from './costs.ts'

/** A clock that stands still but for work and for waits. */
function standing() {
  let [ms, usedMs] = [0, 0]
  const costs = openCosts({ now: () => ms, used: () => usedMs })
  const line =
    (workMs: number, elapsedMs = workMs) =>
    () => {
      usedMs += workMs
      ms += elapsedMs
      return ['answer']
    }
  return {
    costs,
    line,
    pass: (more: number) => (ms += more),
    /** Sends lines as fast as they are taken; answers how much work was done within `forMs`. */
    flood(worker: { decoy: string; source: string }, workMs: number, forMs: number): number {
      const [from, usedFrom] = [ms, usedMs]
      while (ms - from < forMs) {
        ms += costs.waitMs(worker)
        costs.work(worker, 100, line(workMs))
      }
      return usedMs - usedFrom
    },
  }
}

const REDIS = { decoy: 'redis', source: '192.0.2.1' }

test.each([1, 10, 40])('a source that sends lines of %d ms has a quarter of a core for them', (workMs) => {
  const { flood } = standing()
  flood(REDIS, workMs, 2_000)
  const share = flood(REDIS, workMs, 60_000) / 60_000
  // What is free of each line comes on top.
  expect(share).toBeLessThan(0.25 + 0.2 / workMs)
  expect(share).toBeGreaterThan(0.2)
})

test('behind a long line nobody waits at another decoy, and at its own as long as it took', () => {
  const { costs, line } = standing()
  costs.work(REDIS, 100, line(40))
  expect(costs.waitMs({ decoy: 'ssh', source: '192.0.2.2' })).toBe(0)
  expect(costs.waitMs({ decoy: 'redis', source: '192.0.2.2' })).toBeCloseTo(40, 0)
})

test('a source that has waited owes nothing, and is forgotten', () => {
  const { costs, line, pass, flood } = standing()
  flood(REDIS, 40, 1_000)
  expect(costs.waitMs(REDIS)).toBeGreaterThan(50)
  pass(1_000)
  expect(costs.waitMs(REDIS)).toBe(0)
  costs.work({ decoy: 'ssh', source: '192.0.2.2' }, 100, line(10))
  expect(costs.waitMs(REDIS)).toBe(0)
})

test('plain lines, long transfers and what other processes take are free', () => {
  const { costs, line } = standing()
  for (let n = 0; n < 10_000; n += 1) {
    costs.work(REDIS, 20, line(0.15))
    costs.work(REDIS, 1024 * 1024, line(9))
    costs.work(REDIS, 20, line(0.1, 30))
  }
  expect(costs.waitMs(REDIS)).toBe(0)
})

test('the turn of a connection is over after four milliseconds, and that of a closed one after one', () => {
  const { costs, pass } = standing()
  const turn = (isClosed: boolean): number => {
    let lines = 0
    const act = (): string[] => {
      do {
        lines += 1
        pass(0.5)
      } while (!costs.isTurnOver())
      return []
    }
    costs.work(REDIS, 0, act, isClosed)
    return lines
  }
  expect([turn(false), turn(true)]).toEqual([8, 2])
  expect(costs.isTurnOver()).toBe(false)
})
