import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batcher } from './batcher.ts'

const doubled = (items: readonly number[]): Promise<readonly number[]> =>
  Promise.resolve(items.map((item) => item * 2))

test('each caller gets the result of its own item, whatever arrives when and however many one flush takes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat(), { maxLength: 20 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 7 }),
      async (bursts, max) => {
        const sizes: number[] = []
        const { add, idle } = batcher({
          max,
          flush: (items: readonly number[]) => (sizes.push(items.length), doubled(items)),
        })
        const asked: Promise<number>[] = []
        for (const burst of bursts) {
          asked.push(...burst.map(add))
          await Promise.resolve()
        }
        await idle()
        expect(await Promise.all(asked)).toEqual(bursts.flat().map((item) => item * 2))
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(max)
      },
    ),
  )
})

test('what arrives while a batch is being flushed goes into the next one', async () => {
  const batches: (readonly string[])[] = []
  const started = Promise.withResolvers<undefined>()
  const ended = Promise.withResolvers<undefined>()
  const { add, waiting } = batcher({
    max: 10,
    flush: async (items: readonly string[]) => {
      batches.push(items)
      started.resolve(undefined)
      await ended.promise
      return items
    },
  })
  const a = add('a')
  await started.promise
  const rest = [add('b'), add('c')]
  expect(waiting()).toBe(2)
  ended.resolve(undefined)
  await Promise.all([a, ...rest])
  expect(batches).toEqual([['a'], ['b', 'c']])
})

test('a batch is weighed, and an item that is too heavy goes alone', async () => {
  const batches: (readonly number[])[] = []
  const { add, idle } = batcher({
    max: 10,
    weigh: (item: number) => item,
    flush: (items) => (batches.push(items), doubled(items)),
  })
  for (const item of [4, 6, 30, 1, 9, 1]) void add(item)
  await idle()
  expect(batches).toEqual([[4, 6], [30], [1, 9], [1]])
})

test('a flush that throws rejects its own batch alone', async () => {
  const { add } = batcher({
    max: 1,
    flush: (items: readonly number[]) =>
      items[0] === 1 ? Promise.reject(new Error('no')) : Promise.resolve(items),
  })
  expect(await Promise.allSettled([add(0), add(1), add(2)])).toMatchObject([
    { value: 0 },
    { reason: { message: 'no' } },
    { value: 2 },
  ])
})

test('a result that is a rejected promise rejects its own item alone', async () => {
  const { add } = batcher({
    max: 5,
    flush: (items: readonly number[]) =>
      Promise.resolve(items.map((item) => (item === 1 ? Promise.reject(new Error('no')) : item))),
  })
  expect(await Promise.allSettled([add(0), add(1), add(2)])).toMatchObject([
    { value: 0 },
    { reason: { message: 'no' } },
    { value: 2 },
  ])
})

test('a flush that answers too few results rejects instead of leaving a caller without one', async () => {
  const { add } = batcher({ max: 5, flush: (items: readonly number[]) => Promise.resolve(items.slice(1)) })
  await expect(Promise.all([add(1), add(2)])).rejects.toThrow('A flush of 2 items answered 1 results.')
})
