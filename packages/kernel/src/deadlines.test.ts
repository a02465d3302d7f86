import { expect, it } from 'vitest'
import { deadlines } from './deadlines.ts'

/** A clock whose timers are called by `advance`, each at its own time. */
function steppedClock() {
  let now = 0
  let timers: { at: number; wake: () => void }[] = []
  return {
    armed: () => timers.length,
    after(ms: number, wake: () => void) {
      timers.push({ at: now + ms, wake })
      return () => undefined
    },
    advanceTo(end: number) {
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        now = next.at
        next.wake()
      }
      now = end
    },
  }
}

function opened() {
  const clock = steppedClock()
  const due: string[] = []
  const limited = deadlines<string>({ clock, ms: 500, earlyMs: 50, onDue: (item) => due.push(item) })
  return { clock, due, limited }
}

it('items are due after their time, or as much earlier as was allowed, and in their order', () => {
  const { clock, due, limited } = opened()
  limited.add('first')
  clock.advanceTo(49)
  limited.add('with the first')
  clock.advanceTo(51)
  limited.add('later')
  clock.advanceTo(499)
  expect(due).toEqual([])
  clock.advanceTo(500)
  expect(due).toEqual(['first', 'with the first'])
  clock.advanceTo(551)
  expect(due).toEqual(['first', 'with the first', 'later'])
})

it('an item that was taken out is never due, also when it is taken out twice', () => {
  const { clock, due, limited } = opened()
  const together = limited.add('taken out')
  limited.add('left in')
  together.delete('taken out')
  together.delete('taken out')
  clock.advanceTo(1_000)
  expect(due).toEqual(['left in'])
})

it('many items need two timers, and none is armed once all are taken out', () => {
  const { clock, limited } = opened()
  const items = Array.from({ length: 1_000 }, (_, n) => `item ${n}`)
  const added = items.map((item) => limited.add(item))
  expect(clock.armed()).toBe(1)
  items.forEach((item, n) => added[n]?.delete(item))
  clock.advanceTo(50)
  expect(clock.armed()).toBe(0)
})
