import { expect, test } from 'vitest'
import { openTurns } from './turns.ts'

/** Turns whose event loop and clock stand still until they are asked. */
function standing() {
  const scheduled: (() => void)[] = []
  let ms = 0
  const turns = openTurns({ nextTurn: (run) => scheduled.push(run), now: () => ms })
  return {
    turns,
    elapse: (more: number) => (ms += more),
    /** One turn of the event loop; false when nothing was left. */
    turn(): boolean {
      const run = scheduled.shift()
      run?.()
      return run !== undefined
    },
  }
}

test('a source that waits is served after one act of another, however many that one has', () => {
  const { turns, turn } = standing()
  const done: string[] = []
  for (let n = 1; n <= 3; n += 1) turns.join('192.0.2.1', () => done.push(`greedy ${n}`))
  turns.join('192.0.2.2', () => done.push('other'))
  turn()
  expect(done).toEqual(['greedy 1', 'other', 'greedy 2', 'greedy 3'])
})

test('what takes longer than a turn goes on in the next one', () => {
  const { turns, elapse, turn } = standing()
  let done = 0
  for (let n = 0; n < 10; n += 1) turns.join('192.0.2.1', () => (elapse(5), (done += 1)))
  const perTurn: number[] = []
  for (let before = done; turn(); before = done) perTurn.push(done - before)
  expect(perTurn).toEqual([2, 2, 2, 2, 2])
})

test('an act may join again, and one that throws loses nobody’s turn', () => {
  const { turns, turn } = standing()
  const done: string[] = []
  turns.join('192.0.2.1', () => turns.join('192.0.2.1', () => done.push('again')))
  turns.join('192.0.2.2', () => {
    throw new Error('A session went wrong.')
  })
  turns.join('192.0.2.3', () => done.push('third'))
  expect(turn).toThrow('A session went wrong.')
  while (turn());
  expect(done.toSorted()).toEqual(['again', 'third'])
})
