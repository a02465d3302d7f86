import { expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { withSource } from './with-source.ts'

const MADE_AT = Date.UTC(2026, 10, 21, 6)
const message = {
  src_host: '192.0.2.7',
  src_host_reverse: '',
  memo: null,
  created_at: MADE_AT,
  event: '{"USERNAME":"root"}',
}
const found = { geo_info: { country: 'DE' } }

const never = () => new Promise<never>(() => undefined)

it('a message waits for its source until half a second after it was made', async () => {
  const clock = manualClock(MADE_AT)
  const facts = Promise.withResolvers<typeof found>()
  const described = withSource(message, { nameOf: never, factsOf: () => facts.promise, world: { clock } })
  clock.advance(499)
  facts.resolve(found)
  await facts.promise
  clock.advance(1)
  expect(JSON.parse((await described).event ?? '')).toEqual({ USERNAME: 'root', ...found })
})

it('a later message says what is in memory, and waits for nothing else', async () => {
  const world = { clock: manualClock(MADE_AT + 60_000) }
  const inMemory = {
    nameOf: () => Promise.resolve('scanner.example.net'),
    factsOf: () => Promise.resolve(found),
    world,
  }
  const known = await withSource(message, inMemory)
  expect([known.src_host_reverse, JSON.parse(known.event)]).toEqual([
    'scanner.example.net',
    { USERNAME: 'root', ...found },
  ])
  expect(await withSource(message, { nameOf: never, factsOf: never, world })).toEqual(message)
})

it('a later message sets no timer: its time is in the past', async () => {
  const clock = manualClock(MADE_AT + 60_000)
  const timers: number[] = []
  const after: typeof clock.after = (ms, wake) => (timers.push(ms), clock.after(ms, wake))
  await withSource(message, { nameOf: never, factsOf: never, world: { clock: { ...clock, after } } })
  expect(timers).toEqual([])
})
