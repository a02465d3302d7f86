import fc from 'fast-check'
import { expect, it } from 'vitest'
import { channels } from '@rookery/tokens/channels.gen.ts'
import { visitDedup, visitorOf } from './visit-dedup.ts'

const visitOf = (agent: string, tokenId = 'token') =>
  visitorOf(
    {
      tokenId,
      visit: {
        channel: 'http',
        method: 'GET',
        path: '/',
        headers: { 'User-Agent': agent },
        srcHost: '192.0.2.7',
        dstPort: 80,
      },
    },
    undefined,
  )
const { visitMs } = channels.http

it('requests are one visit while they come within the time of their channel, by visitor and token', () => {
  const request = fc.record({
    visitor: fc.constantFrom(visitOf('a'), visitOf('b'), visitOf('a', 'other')),
    afterMs: fc.nat({ max: visitMs }),
    isStored: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const dedup = visitDedup()
      const began = new Map<string, number>()
      let now = 1_000_000
      for (const { visitor, afterMs, isStored } of requests) {
        now += afterMs
        const batch = dedup.batch()
        const before = began.get(visitor)
        const isRepeated = before !== undefined && now - before < visitMs
        expect(batch.isRepeated(visitor, now)).toBe(isRepeated)
        if (isRepeated) continue
        batch.mark(visitor, now, 'key')
        expect(batch.isRepeated(visitor, now)).toBe(true)
        if (!isStored) continue
        batch.commit()
        began.set(visitor, now)
      }
    }),
  )
})

it('a request that came first and is stored second is part of the visit', () => {
  const batch = visitDedup().batch()
  batch.adopt(visitOf('a'), { at: 1_000_000, aggregationKey: 'key' })
  expect(batch.isRepeated(visitOf('a'), 999_999)).toBe(true)
})

it('a clock that is set back by the time of a visit begins new visits', () => {
  const batch = visitDedup().batch()
  batch.mark(visitOf('a'), 1_000_000, 'key')
  expect(batch.isRepeated(visitOf('a'), 1_000_000)).toBe(true)
  expect(batch.isRepeated(visitOf('a'), 1_000_000 - visitMs)).toBe(false)
})

it('a visit of a channel that this console does not have is not repeated', () => {
  const batch = visitDedup().batch()
  batch.mark('smoke|token|192.0.2.7|', 5, 'key')
  expect(batch.isRepeated('smoke|token|192.0.2.7|', 5)).toBe(false)
})

it('a visit is amended a few times at most, and no more once it has ended', () => {
  const batch = visitDedup().batch()
  const visitor = visitOf('a')
  expect(batch.takeAmendment(visitor, 5)).toBeUndefined()
  batch.mark(visitor, 5, 'key')
  for (let n = 0; n < 8; n++)
    expect(batch.takeAmendment(visitor, 6)).toMatchObject({ at: 5, aggregationKey: 'key' })
  expect(batch.takeAmendment(visitor, 6)).toBeUndefined()
  batch.mark(visitor, 7, 'key')
  expect(batch.takeAmendment(visitor, 7 + visitMs)).toBeUndefined()
})

it('a visit is remembered after its end for what is added to it, a few times at most', () => {
  const dedup = visitDedup()
  const [visitor, other] = [visitOf('a'), visitOf('b')]
  const lateMs = 6 * visitMs
  const batch = dedup.batch()
  batch.mark(visitor, 0, 'key', lateMs)
  batch.commit()
  const forgetting = dedup.batch()
  forgetting.mark(other, lateMs - 1, 'other')
  forgetting.commit()
  expect(dedup.ongoing(lateMs - 1).map((it) => it.visitor)).toEqual([visitor, other])
  const later = dedup.batch()
  expect(later.isRepeated(visitor, lateMs - 1)).toBe(false)
  expect(later.startOf(visitor, lateMs - 1, lateMs)).toMatchObject({ at: 0 })
  for (let n = 0; n < 8; n++)
    expect(later.takeAmendment(visitor, lateMs - 1, lateMs)).toMatchObject({ aggregationKey: 'key' })
  // What is stored of it is no new visit.
  later.adopt(visitor, { at: 0, aggregationKey: 'key' })
  expect(later.takeAmendment(visitor, lateMs - 1, lateMs)).toBeUndefined()
  expect(later.startOf(visitor, lateMs, lateMs)).toBeUndefined()
  const last = dedup.batch()
  last.mark(other, lateMs + visitMs, 'other')
  last.commit()
  expect(dedup.ongoing(lateMs + visitMs).map((it) => it.visitor)).toEqual([other])
})
