import { expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { withMax } from '@rookery/kernel/limit.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { openBodyBudget, type BodyBudget } from './budget.ts'
import { ALL_BODY_BYTES, UNKNOWN_BODY_BYTES } from '../request-limits.ts'

const clock = manualClock()
const open = () =>
  openBodyBudget(clock, {
    total: withMax(ALL_BODY_BYTES, 100),
    unknown: withMax(UNKNOWN_BODY_BYTES, 30),
  })

it('bodies beyond the budget are refused as a service that is unavailable, with the time to wait', () => {
  const budget = open()
  const [first, second] = [budget.open('10.0.0.1'), budget.open('10.0.0.1')]
  first.known('key')
  second.known('key')
  first.take(90)
  expect(() => second.take(11)).toThrow(Fault)
  expect(() => second.take(11)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterS: 2 }))
  second.take(10)
  first.release()
  first.release()
  expect(budget.used()).toBe(10)
  second.take(90)
})

it('strangers fill their own part, and none of what callers with a key have', () => {
  const budget = open()
  const strangers = [budget.open('10.0.0.1'), budget.open('10.0.0.1')]
  for (const stranger of strangers) stranger.take(15)
  expect(() => budget.open('10.0.0.1').take(1)).toThrow(Fault)
  const caller = budget.open('10.0.0.1')
  caller.known('key')
  caller.take(70)
  strangers[0]?.known('key')
  budget.open('10.0.0.1').take(0)
  caller.release()
  // The bytes of a stranger who turned out to have a key are no stranger's any more.
  budget.open('10.0.0.1').take(15)
  for (const stranger of strangers) stranger.release()
  expect(budget.used()).toBe(15)
})

it('the oldest unfinished body of the source that holds most makes room for the newcomer', () => {
  const budget = open()
  const cut: string[] = []
  const unfinished = (source: string, name: string, bytes: number) => {
    const share = budget.open(source)
    share.take(bytes)
    share.waits((fault) => cut.push(`${name} ${fault.code} ${fault.retryAfterS}`))
    return share
  }
  unfinished('10.0.0.1', 'a', 9)
  for (const name of ['b', 'c', 'd']) unfinished('10.0.0.2', name, 7)
  budget.open('10.0.0.3').take(1)
  expect(cut).toEqual(['b unavailable 2'])
  expect(budget.used()).toBe(9 + 14 + 1)
  const caller = unfinished('10.0.0.2', 'e', 6)
  budget.open('10.0.0.4').take(1)
  expect(cut).toEqual(['b unavailable 2', 'c unavailable 2'])
  // One whose key is known, or that is not waiting, makes no room.
  caller.known('key')
  expect(() => budget.open('10.0.0.5').take(30)).toThrow(Fault)
  expect(cut.slice(2)).toEqual(['a unavailable 2', 'd unavailable 2'])
})

it('sources that hold the whole part of strangers keep no other source from a call', () => {
  const budget = openBodyBudget(clock)
  const bodies = UNKNOWN_BODY_BYTES.max / 65_536
  let cut = 0
  for (let n = 0; n < bodies; n++) {
    const share = budget.open(`10.0.0.${n % 4}`)
    share.take(65_535)
    share.waits(() => cut++)
  }
  for (let n = 0; n < 1_000; n++) {
    const share = budget.open(`10.1.${n >> 8}.${n & 255}`)
    share.take(300)
    share.release()
  }
  expect(cut).toBeLessThanOrEqual(1)
  clock.advance(10_000)
  expect(cut).toBe(bodies)
  expect(budget.used()).toBe(0)
})

const MEBIBYTE = 1024 * 1024

/** A body of a key that waits for its sender; it pushes the code of its end. */
function upload(budget: BodyBudget, key: string, bytes: number) {
  const ends: string[] = []
  const share = budget.open('10.0.0.1')
  share.known(key)
  share.waits((fault) => ends.push(fault.code))
  share.take(bytes)
  return { share, ends }
}

it('a key has half of the memory, and a part is left to short bodies', () => {
  const budget = openBodyBudget(manualClock())
  upload(budget, 'a', 32 * MEBIBYTE)
  expect(() => upload(budget, 'a', 1)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  expect(() => upload(budget, 'b', 24 * MEBIBYTE + 1)).toThrow(Fault)
  upload(budget, 'b', 24 * MEBIBYTE)
  for (let n = 0; n < 128; n++) upload(budget, `c${n}`, 64 * 1024)
  expect(budget.used()).toBe(64 * MEBIBYTE)
  expect(() => upload(budget, 'd', 1)).toThrow(Fault)
})

it('a body that comes slowly makes room, for its key and for others; one that comes steadily does not', () => {
  const clock = manualClock()
  const budget = openBodyBudget(clock)
  const steady = upload(budget, 'a', 23 * MEBIBYTE)
  const slow = upload(budget, 'b', 32 * MEBIBYTE - 1_400_000)
  for (let second = 0; second < 11; second++) {
    steady.share.take(80_000)
    slow.share.take(60_000)
    clock.advance(1_000)
  }
  expect([steady.ends, slow.ends]).toEqual([[], []])
  upload(budget, 'c', 1_000_000)
  expect([steady.ends, slow.ends]).toEqual([[], ['unavailable']])
  const own = upload(budget, 'b', 30 * MEBIBYTE)
  for (let second = 0; second < 10; second++) {
    own.share.take(60_000)
    clock.advance(1_000)
  }
  upload(budget, 'b', 2 * MEBIBYTE)
  expect(own.ends).toEqual(['unavailable'])
})

it('a body that stops leaves within ten seconds, however much of it has come', () => {
  const clock = manualClock()
  const budget = openBodyBudget(clock)
  const stopped = upload(budget, 'a', 31 * MEBIBYTE)
  clock.advance(5_000)
  expect(stopped.ends).toEqual([])
  clock.advance(5_000)
  expect(stopped.ends).toEqual(['timeout'])
  expect(budget.used()).toBe(0)
})

it('a stranger makes room for a caller where all memory is taken', () => {
  const budget = openBodyBudget(manualClock(), { total: withMax(ALL_BODY_BYTES, 100) })
  const cut: string[] = []
  const stranger = budget.open('10.0.0.9')
  stranger.take(90)
  stranger.waits((fault) => cut.push(fault.code))
  upload(budget, 'a', 50)
  expect(cut).toEqual(['unavailable'])
})

it('bodies that made room are answered in turn: about 128 a second', async () => {
  const budget = openBodyBudget(clock)
  let answered = 0
  const left = Array.from({ length: 300 }, () => budget.open('10.0.0.1').leavesInTurn())
  for (const leaving of left) void leaving.then(() => answered++)
  for (let slice = 0; slice < 50; slice++) {
    clock.advance(20)
    await Promise.resolve()
  }
  expect(answered).toBeGreaterThan(115)
  expect(answered).toBeLessThan(140)
})
