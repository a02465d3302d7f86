import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openShares } from './shares.ts'

/** Shares whose event loop and clock stand still until they are asked. */
function standing() {
  const scheduled: (() => void)[] = []
  let ms = 0
  const shares = openShares({ nextTurn: (run) => scheduled.push(run), now: () => ms })
  return {
    shares,
    elapse: (more: number) => (ms += more),
    /** One turn of the event loop; false when nothing was left. */
    turn(): boolean {
      const run = scheduled.shift()
      run?.()
      return run !== undefined
    },
  }
}

test('a decoy that is flooded lets another one act in the same turn, and goes on in the next ones', () => {
  const { shares, elapse, turn } = standing()
  const done: string[] = []
  for (let n = 1; n <= 6; n++) shares.take('http', () => (elapse(0.1), done.push(`http ${n}`)))
  shares.take('redis', () => done.push('redis'))
  expect(done).toEqual(['http 1', 'http 2', 'http 3', 'redis'])
  turn()
  expect(done.slice(4)).toEqual(['http 4', 'http 5', 'http 6'])
})

test('what comes behind what waits waits too, and is done in its order', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ decoy: fc.constantFrom('ftp', 'http', 'ssh'), ms: fc.nat(5), turns: fc.boolean() }),
        {
          maxLength: 60,
        },
      ),
      (acts) => {
        const { shares, elapse, turn } = standing()
        const done: Record<string, number[]> = {}
        for (const [at, { decoy, ms, turns }] of acts.entries()) {
          shares.take(decoy, () => (elapse(ms / 10), (done[decoy] ??= []).push(at)))
          if (turns) turn()
        }
        while (turn());
        for (const decoy of ['ftp', 'http', 'ssh'])
          expect(done[decoy] ?? []).toEqual(acts.flatMap((act, at) => (act.decoy === decoy ? [at] : [])))
      },
    ),
  )
})

test('an act that throws loses nobody’s turn', () => {
  const { shares, elapse, turn } = standing()
  const done: string[] = []
  shares.take('http', () => elapse(1))
  shares.take('http', () => {
    throw new Error('A session went wrong.')
  })
  shares.take('http', () => done.push('behind it'))
  expect(turn).toThrow('A session went wrong.')
  while (turn());
  expect(done).toEqual(['behind it'])
})
