import { expect, test } from 'vitest'
import { loader } from './loader.ts'

/** A question whose answers are given by hand, in the order of asking. */
function question() {
  const asked: {
    readonly keys: readonly number[]
    readonly answer: PromiseWithResolvers<Map<number, string>>
  }[] = []
  const ask = loader((keys: readonly number[]) => {
    const answer = Promise.withResolvers<Map<number, string>>()
    asked.push({ keys, answer })
    return answer.promise
  })
  return { asked, ask }
}

test('keys that come while a query is under way share the next one, each once', async () => {
  const { asked, ask } = question()
  const first = ask(1)
  await expect.poll(() => asked.map(({ keys }) => keys)).toEqual([[1]])
  const late = [ask(2), ask(3), ask(2), ask(1)]
  asked[0]?.answer.resolve(new Map([[1, 'old']]))
  expect(await first).toBe('old')
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]?.keys).toEqual([2, 3, 1])
  const later = ask(4)
  asked[1]?.answer.resolve(
    new Map([
      [1, 'new'],
      [2, 'two'],
    ]),
  )
  expect(await Promise.all(late)).toEqual(['two', undefined, 'two', 'new'])
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.answer.resolve(new Map([[4, 'four']]))
  expect(await later).toBe('four')
})

test('a failure reaches the callers of its own query alone', async () => {
  const { asked, ask } = question()
  const first = ask(1)
  await expect.poll(() => asked.length).toBe(1)
  const late = ask(2)
  asked[0]?.answer.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.answer.resolve(new Map([[2, 'two']]))
  expect(await late).toBe('two')
  const idle = ask(3)
  await expect.poll(() => asked[2]?.keys).toEqual([3])
  asked[2]?.answer.resolve(new Map([[3, 'three']]))
  expect(await idle).toBe('three')
})
