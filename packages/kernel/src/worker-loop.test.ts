import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workerLoop } from './worker-loop.ts'
import type { Clock } from './world.ts'

/** A clock that stands still until the test calls the timer that waits. */
function stoppedClock() {
  const timers = new Set<{ readonly ms: number; readonly wake: () => void }>()
  const clock: Clock = {
    now: () => 1_000,
    after(ms, wake) {
      const timer = { ms, wake }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  const fire = (): void => {
    for (const timer of [...timers]) if (timers.delete(timer)) timer.wake()
  }
  return { clock, timers, fire }
}

const neverFails = (error: unknown): number => {
  throw error
}

test('however often it is woken, one run goes on at a time and the last wake is followed by a run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 30 }), async (pauses) => {
      let active = 0
      let most = 0
      let seen = 0
      let wakes = 0
      const loop = workerLoop({
        clock: stoppedClock().clock,
        run: async () => {
          most = Math.max(most, ++active)
          seen = wakes
          await Promise.resolve()
          active--
          return undefined
        },
        onError: neverFails,
      })
      for (const pause of pauses) {
        wakes++
        loop.wake()
        for (let turn = 0; turn < pause; turn++) await Promise.resolve()
      }
      await loop.idle()
      expect(most).toBeLessThanOrEqual(1)
      expect(seen).toBe(wakes)
    }),
  )
})

test('it runs again at the time that the last run named', async () => {
  const { clock, timers, fire } = stoppedClock()
  let runs = 0
  const loop = workerLoop({
    clock,
    run: () => Promise.resolve(++runs < 3 ? 1_250 : undefined),
    onError: neverFails,
  })
  loop.wake()
  await loop.idle()
  expect([...timers].map(({ ms }) => ms)).toEqual([250])
  for (let turn = 0; turn < 5; turn++) {
    fire()
    await loop.idle()
  }
  expect(runs).toBe(3)
})

test('a run that fails is tried again after the time that its error is worth', async () => {
  const { clock, timers } = stoppedClock()
  const loop = workerLoop({
    clock,
    run: () => Promise.reject(new Error('away')),
    onError: (error) => (error instanceof Error ? 500 : 0),
  })
  loop.wake()
  await loop.idle()
  expect([...timers].map(({ ms }) => ms)).toEqual([500])
})

test('once stopped it never runs again, and stop waits for the run that goes on', async () => {
  const { clock, fire } = stoppedClock()
  const gate = Promise.withResolvers<undefined>()
  let runs = 0
  const loop = workerLoop({
    clock,
    run: async () => {
      runs++
      await gate.promise
      return 1_000
    },
    onError: neverFails,
  })
  loop.wake()
  const stopped = loop.stop()
  gate.resolve(undefined)
  await stopped
  loop.wake()
  fire()
  await loop.idle()
  expect(runs).toBe(1)
})
