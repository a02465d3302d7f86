import { expect, test } from 'vitest'
import { beginHandshake } from './budget.ts'

test('beyond 200 handshakes that are not over, the oldest is given up; one that is over counts no more', () => {
  const givenUp: number[] = []
  const ends = Array.from({ length: 200 }, (_, at) => beginHandshake(() => givenUp.push(at)))
  expect(givenUp).toEqual([])
  ends[0]!()
  ends.push(beginHandshake(() => givenUp.push(200)))
  expect(givenUp).toEqual([])
  ends.push(beginHandshake(() => givenUp.push(201)))
  ends.push(beginHandshake(() => givenUp.push(202)))
  expect(givenUp).toEqual([1, 2])
  for (const end of ends) end()
  for (let count = 0; count < 200; count += 1) ends.push(beginHandshake(() => givenUp.push(300)))
  expect(givenUp).toEqual([1, 2])
  for (const end of ends) end()
})
