import { expect, test } from 'vitest'
import { turns } from './turns.ts'

test('no more than so many run at a time, in the order of arrival, also behind one that fails', async () => {
  const inTurn = turns(2)
  const started: number[] = []
  const ends: (() => void)[] = []
  const run = (n: number): Promise<number> =>
    inTurn(async () => {
      started.push(n)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (n === 0) throw new Error('the first one fails')
      return n
    })
  const results = [0, 1, 2, 3].map((n) => run(n).catch((error: Error) => error.message))
  expect(started).toEqual([0, 1])
  ends[0]!()
  await results[0]
  await expect.poll(() => started).toEqual([0, 1, 2])
  ends[1]!()
  await expect.poll(() => started).toEqual([0, 1, 2, 3])
  ends[2]!()
  ends[3]!()
  expect(await Promise.all(results)).toEqual(['the first one fails', 1, 2, 3])
})
