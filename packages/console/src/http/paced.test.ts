import { expect, it } from 'vitest'
import { paced } from './paced.ts'

it('others get their turn while a long answer goes to a reader who is always ready', async () => {
  let isDone = false
  let turns = 0
  const others = (): void => {
    turns++
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  let text = ''
  for await (const piece of paced(lines(200))) text += String(piece)
  isDone = true
  expect(text.split('\n').length).toBe(201)
  expect(turns).toBeGreaterThan(150)
})

it('no more is made than the reader has taken', async () => {
  let made = 0
  const reader = paced(lines(200, () => made++))[Symbol.asyncIterator]()
  await reader.next()
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve))
  expect(made).toBeLessThan(5)
  await reader.return?.()
})

async function* lines(n: number, onMade?: () => void): AsyncGenerator<string> {
  for (let at = 0; at < n; at++) {
    onMade?.()
    yield await Promise.resolve(`${at}\n`)
  }
}
