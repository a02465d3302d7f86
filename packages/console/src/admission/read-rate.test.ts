import { expect, it } from 'vitest'
import { limit } from '@rookery/kernel/limit.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { openReadRate } from './read-rate.ts'

const KIBIBYTE = 1024
const CHUNK = 64 * KIBIBYTE
/** Eight chunks a second. */
const RATE = limit('test_bytes_read_per_second', 8 * CHUNK)

function opened() {
  const clock = manualClock()
  const rate = openReadRate(clock, RATE)
  const read: number[] = []
  /** Reads a chunk, and others as soon as it may. */
  const readOn = (reader: number): void => {
    read.push(reader)
    if (!rate.count(CHUNK)) rate.wait(() => readOn(reader))
    else readOn(reader)
  }
  return { clock, rate, read, readOn }
}

it('readers together keep to the rate, in turn, and no two of them go on at once', () => {
  const { clock, read, readOn } = opened()
  for (const reader of [1, 2, 3]) readOn(reader)
  expect(read).toEqual([1, 2, 3])
  const perSlice: number[] = []
  for (let slice = 0; slice < 500; slice++) {
    const before = read.length
    clock.advance(20)
    perSlice.push(read.length - before)
  }
  expect(Math.max(...perSlice)).toBe(1)
  expect(read.length).toBeGreaterThanOrEqual(78)
  expect(read.length).toBeLessThanOrEqual(84)
  expect(read.slice(0, 78)).toEqual(Array.from({ length: 78 }, (_, nth) => (nth % 3) + 1))
})

it('a reader that is gone is not waited for', () => {
  const { clock, rate, read, readOn } = opened()
  readOn(1)
  const cancel = rate.wait(() => readOn(2))
  rate.wait(() => readOn(3))
  cancel()
  clock.advance(300)
  expect(read.slice(0, 3)).toEqual([1, 1, 3])
})

it('what is within the rate is read at once, and nothing is left to do after it', () => {
  const { clock, rate } = opened()
  for (let second = 0; second < 10; second++) {
    expect(rate.count(10 * KIBIBYTE)).toBe(true)
    clock.advance(1_000)
  }
})
