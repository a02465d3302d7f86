import { expect, it } from 'vitest'
import { readBudget } from './read-budget.ts'

it('takes two scans of all ports without a pause', () => {
  const budget = readBudget()
  for (let now = 0; now < 512; now++) expect(budget.spend(255, now)).toBe(0)
})

it('reads about 20,000 packets a second of a flood, however long it lasts', () => {
  const budget = readBudget()
  let [now, read] = [0, 0]
  const countUntil = (end: number): number => {
    const before = read
    while (now < end) {
      read += 256
      now += 1 + budget.spend(256, now)
    }
    return read - before
  }
  countUntil(60_000)
  const perSecond = countUntil(70_000) / 10
  expect(perSecond).toBeGreaterThan(15_000)
  expect(perSecond).toBeLessThan(25_000)
})
