import { expect, test } from 'vitest'
import { gathered } from './gathered.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the first of a turn is told at once, all others by one asking after the last of them came', async () => {
  let known = 1
  let askings = 0
  const ask = gathered(() => {
    askings++
    return known
  })
  const first = ask()
  const told = [ask(), ask()]
  await Promise.resolve()
  told.push(ask())
  known = 2
  expect(await first).toBe(1)
  expect(await Promise.all(told)).toEqual([2, 2, 2])
  expect(askings).toBe(2)
  await nextTurn()
  known = 3
  expect(await ask()).toBe(3)
  expect(askings).toBe(3)
})

test('a failure reaches all who waited, and the next one is asked anew', async () => {
  let isAway = true
  const ask = gathered(() => {
    if (isAway) throw new Error('away')
    return 5
  })
  const told = await Promise.allSettled([ask(), ask(), ask()])
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  isAway = false
  expect(await ask()).toBe(5)
})
