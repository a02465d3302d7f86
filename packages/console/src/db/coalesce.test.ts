import { expect, test } from 'vitest'
import { coalesce, coalesceBy } from './coalesce.ts'
import { nextImmediate } from './next-immediate.ts'

/** A question whose answers are given by hand, in the order of asking. */
function question() {
  const asked: PromiseWithResolvers<number>[] = []
  const ask = coalesce(() => {
    const answer = Promise.withResolvers<number>()
    asked.push(answer)
    return answer.promise
  })
  return { asked, ask }
}

test('callers who come while it is being asked share the next asking', async () => {
  const { asked, ask } = question()
  const first = ask()
  await expect.poll(() => asked.length).toBe(1)
  const late = [ask(), ask(), ask()]
  asked[0]?.resolve(1)
  expect(await first).toBe(1)
  await expect.poll(() => asked.length).toBe(2)
  const later = ask()
  asked[1]?.resolve(2)
  expect(await Promise.all(late)).toEqual([2, 2, 2])
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.resolve(3)
  expect(await later).toBe(3)
})

test('a failure reaches those who waited for it, and the next one is asked anew', async () => {
  const { asked, ask } = question()
  const first = ask()
  await expect.poll(() => asked.length).toBe(1)
  const late = ask()
  asked[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.resolve(5)
  expect(await late).toBe(5)
  const idle = ask()
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.resolve(6)
  expect(await idle).toBe(6)
})

test('only the same question is asked once for several', async () => {
  const asked: [string, PromiseWithResolvers<string>][] = []
  const ask = coalesceBy(
    (question: string) => question.toLowerCase(),
    (question) => {
      const answer = Promise.withResolvers<string>()
      asked.push([question, answer])
      return answer.promise
    },
  )
  const early = [ask('a'), ask('b')]
  await expect.poll(() => asked.map(([question]) => question)).toEqual(['a', 'b'])
  const late = [ask('A'), ask('a')]
  asked[0]?.[1].resolve('first')
  expect(await early[0]).toBe('first')
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.[1].resolve('second')
  expect(await Promise.all(late)).toEqual(['second', 'second'])
  asked[1]?.[1].resolve('other')
  expect(await early[1]).toBe('other')
  const later = ask('a')
  await expect.poll(() => asked.length).toBe(4)
  asked[3]?.[1].resolve('third')
  expect(await later).toBe('third')
})

test('with `gather`, callers of one iteration of the event loop share one call', async () => {
  let asked = 0
  const ask = coalesce(() => ++asked, nextImmediate)
  const answers = [ask(), ask()]
  await Promise.resolve()
  answers.push(ask())
  expect(await Promise.all(answers)).toEqual([1, 1, 1])
  expect(await ask()).toBe(2)
})
