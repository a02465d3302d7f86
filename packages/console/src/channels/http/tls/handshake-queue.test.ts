import { declaredLimits } from '@rookery/kernel/limit.ts'
import { expect, it } from 'vitest'
import { manualClock } from '../../../../test/manual-clock.ts'
import { openHandshakeQueue } from './handshake-queue.ts'

const hits = (name: string): number => [...declaredLimits()].find((it) => it.name === name)?.hits() ?? -1

function openQueue() {
  const clock = manualClock()
  const queue = openHandshakeQueue(clock)
  const begun: string[] = []
  const closed: string[] = []
  const enter = (source: string | undefined, label = source ?? '') =>
    queue.enter(source, { begin: () => begun.push(label), close: () => closed.push(label) })
  const enterMany = (source: string | undefined, count: number) =>
    Array.from({ length: count }, (_, n) => enter(source, `${source} ${n}`))
  return { clock, begun, closed, enter, enterMany }
}

it('four begin at once, and four in each 20 ms, 200 a second', () => {
  const { clock, begun, enterMany } = openQueue()
  for (let n = 0; n < 10; n++) enterMany(`10.0.1.${n}`, 40)
  expect(begun).toHaveLength(4)
  clock.advance(20)
  expect(begun).toHaveLength(8)
  clock.advance(960)
  expect(begun).toHaveLength(200)
})

it('a source begins 50 handshakes a second; the rest waits for its turn, in order', () => {
  const { clock, begun, enterMany } = openQueue()
  enterMany('10.0.0.1', 120)
  clock.advance(300)
  expect(begun).toHaveLength(50)
  clock.advance(500)
  expect(begun).toHaveLength(50)
  clock.advance(600)
  expect(begun).toHaveLength(100)
  clock.advance(1_000)
  expect(begun).toEqual(Array.from({ length: 120 }, (_, n) => `10.0.0.1 ${n}`))
})

it('a source that has had its share holds up nobody else', () => {
  const { clock, begun, enter, enterMany } = openQueue()
  enterMany('10.0.0.1', 60)
  clock.advance(300)
  enter('10.0.0.2')
  expect(begun.at(-1)).toBe('10.0.0.2')
})

it('all sources together begin 200 a second, and proxies have no share of their own', () => {
  const { clock, begun, enterMany } = openQueue()
  const leaves = [...enterMany(undefined, 150), ...enterMany('10.0.1.0', 50)]
  clock.advance(980)
  expect(begun).toHaveLength(200)
  for (let n = 1; n < 6; n++) enterMany(`10.0.1.${n}`, 10)
  expect(begun).toHaveLength(200)
  for (const leave of leaves) leave?.()
  clock.advance(300)
  expect(begun).toHaveLength(250)
})

it('sources take turns, so that one with many that wait holds up nobody', () => {
  const { clock, begun, enter, enterMany } = openQueue()
  for (let n = 0; n < 10; n++) enterMany(`10.0.1.${n}`, 60)
  enter('10.0.0.9')
  clock.advance(1_000)
  expect(begun.indexOf('10.0.0.9')).toBeGreaterThan(-1)
  expect(begun.indexOf('10.0.0.9')).toBeLessThan(16)
})

it('of 200 that have begun, the oldest makes room after a second', () => {
  const { clock, begun, closed, enterMany } = openQueue()
  for (let n = 0; n < 5; n++) enterMany(`10.0.1.${n}`, 40)
  enterMany('10.0.0.9', 3)
  clock.advance(980)
  expect([begun.length, closed]).toEqual([200, []])
  clock.advance(20)
  expect([begun.length, closed]).toEqual([203, ['10.0.1.0 0', '10.0.1.0 1', '10.0.1.0 2']])
})

it('who leaves before its turn never begins, and makes room', () => {
  const { clock, begun, enterMany } = openQueue()
  const leaves = enterMany('10.0.0.1', 60)
  for (const leave of leaves.slice(50)) leave?.()
  clock.advance(5_000)
  expect(begun).toHaveLength(50)
})

it('at most 1,000 wait; the next one is refused and counted', () => {
  const { enterMany, enter } = openQueue()
  const before = hits('token_tls_handshakes_waiting')
  expect(enterMany('10.0.0.1', 1_004)).not.toContain(undefined)
  expect(enter('10.0.0.1')).toBeUndefined()
  expect(hits('token_tls_handshakes_waiting') - before).toBe(1)
})
