import { expect, test } from 'vitest'
import { freedMemory } from './freed-memory.ts'

const MEBIBYTE = 1024 * 1024

/** A process of 100 MB; `kept` is what it has freed and not given back. */
function processOf100() {
  const memory = { used: 100 * MEBIBYTE, kept: 0, releases: 0 }
  const tick = freedMemory({
    resident: () => memory.used + memory.kept,
    release: () => {
      memory.releases += 1
      memory.kept = 0
    },
  })
  return { memory, seconds: (count: number) => Array.from({ length: count }, tick) }
}

test('gives back what a burst of work has left, within seconds', () => {
  const { memory, seconds } = processOf100()
  seconds(60)
  memory.kept = 80 * MEBIBYTE
  seconds(10)
  expect(memory).toMatchObject({ kept: 0, releases: 1 })
})

test('asks nothing of a process that stays as it is', () => {
  const { memory, seconds } = processOf100()
  memory.kept = 10 * MEBIBYTE
  seconds(3_600)
  expect(memory.releases).toBe(0)
})

test('asks ever more seldom while all that was gained is in use, and at once when it is not', () => {
  const { memory, seconds } = processOf100()
  seconds(10)
  memory.used = 150 * MEBIBYTE
  seconds(3_600)
  expect(memory.releases).toBeLessThan(20)
  memory.kept = 40 * MEBIBYTE
  seconds(1)
  expect(memory.kept).toBe(0)
})
