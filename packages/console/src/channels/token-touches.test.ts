import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openBackground } from '../background/background.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { ownFolder } from '../../test/own-folder.ts'
import type { TokenOutcome, TokenVisit } from '../flows/ingest/ingest-item.ts'
import { systemRandom } from '../world/system.ts'
import { openTokenTouches } from './token-touches.ts'

const OUTCOME: TokenOutcome = { kind: 'k', settings: {} }
const HTTP = {
  channel: 'http',
  method: 'GET',
  path: '/',
  headers: {},
  srcHost: '192.0.2.7',
  dstPort: 80,
} as const
const visit = (tokenId: string): TokenVisit => ({
  tokenId,
  visit: HTTP,
  srcPort: 0,
  dstHost: '10.0.0.1',
  receivedAt: 0,
})

/** Touches over a database that stores each number once, and whose state the test sets. It refuses the token `broken`. */
function openTouches() {
  const folder = ownFolder()
  const clock = manualClock()
  const stored = new Map<string, string>()
  const visits: TokenVisit['visit'][] = []
  const database = {
    state: 'up' as 'up' | 'away' | 'silent',
    answer: Promise.withResolvers<void>(),
    refuse: undefined as (() => Error) | undefined,
  }
  const open = () =>
    openTokenTouches({
      folder,
      world: { clock, random: systemRandom },
      background: openBackground(clock),
      log: pino({ level: 'silent' }),
      onTouch: () => undefined,
      async store({ tokenId, number, visit }) {
        if (database.state === 'silent') await database.answer.promise
        if (database.refuse) throw database.refuse()
        if (tokenId === 'broken') throw new Error('refused')
        if (database.state === 'away') throw new Fault('unavailable', 'The database does not answer.')
        stored.set(`${number?.spoolId} ${number?.seq}`, tokenId)
        visits.push(visit)
        return OUTCOME
      },
    })
  /** Lets what is due run to its end. */
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { open, database, stored: () => [...stored.values()], visits, pass, folder }
}

it('a touch that is committed is answered at once, and writes nothing to the spool', async () => {
  const { open, stored, folder } = openTouches()
  const touches = open()
  const segment = (): number => statSync(join(folder, '000001.log')).size
  const before = segment()
  expect(await touches.submit(visit('one'))).toBe(OUTCOME)
  expect([stored(), touches.waiting(), segment()]).toEqual([['one'], 0, before])
})

it('while the database is away a touch is answered after 2 s, as the token was last, and delivered later', async () => {
  const { open, database, stored, pass } = openTouches()
  const touches = open()
  await touches.submit(visit('one'))
  database.state = 'away'
  const answers = [touches.submit(visit('one')), touches.submit(visit('two'))]
  await pass(0)
  expect([touches.waiting(), touches.notDurable()]).toEqual([2, 0])
  await pass(2_000)
  expect(await Promise.all(answers)).toEqual([OUTCOME, { kind: undefined, settings: {} }])
  database.state = 'up'
  await pass(1_000)
  expect([stored(), touches.waiting()]).toEqual([['one', 'one', 'two'], 0])
})

it('a touch that is not committed within 500 ms is in the spool, and stored once when the database speaks', async () => {
  const { open, database, stored, pass } = openTouches()
  const touches = open()
  database.state = 'silent'
  const answer = touches.submit(visit('one'))
  await pass(499)
  expect(touches.waiting()).toBe(0)
  expect(touches.leftMs()).toBe(1_400)
  await pass(1)
  expect([touches.waiting(), touches.leftMs()]).toEqual([1, 50])
  await pass(1_000)
  database.state = 'up'
  database.answer.resolve()
  expect(await answer).toBe(OUTCOME)
  await pass(1_000)
  expect([stored(), touches.waiting()]).toEqual([['one'], 0])
})

it('what a stopped or killed console left is delivered by the next one, in order, and only once', async () => {
  const { open, database, stored, pass } = openTouches()
  database.state = 'away'
  const killed = open()
  for (const name of ['one', 'two', 'three']) void killed.submit(visit(name))
  await pass(0)
  killed.stop()
  database.state = 'up'
  const next = open()
  await pass(0)
  expect([stored(), next.waiting()]).toEqual([['one', 'two', 'three'], 0])
  next.stop()
  expect(open().waiting()).toBe(0)
})

it('a stop does not wait for the database: what it has not answered yet is delivered by the next start', async () => {
  const { open, database, stored, pass } = openTouches()
  const stopped = open()
  await stopped.submit(visit('one'))
  database.state = 'silent'
  void stopped.submit(visit('two'))
  await pass(0)
  stopped.stop()
  database.state = 'up'
  const next = open()
  await pass(0)
  expect(stored()).toEqual(['one', 'two'])
  // The first commit of it arrives after all, under the same number.
  database.answer.resolve()
  await pass(1_000)
  expect([stored(), next.waiting()]).toEqual([['one', 'two'], 0])
})

it('a touch that the database refuses for good rejects at once, and holds up no other', async () => {
  const { open, database, stored, pass } = openTouches()
  const touches = open()
  await expect(touches.submit(visit('broken'))).rejects.toThrow('refused')
  database.state = 'silent'
  void touches.submit(visit('broken'))
  void touches.submit(visit('one'))
  await pass(2_000)
  database.state = 'up'
  database.answer.resolve()
  await pass(1_000)
  expect([stored(), touches.waiting()]).toEqual([['one'], 0])
})

it('a long body does not go to the spool, and the touch says so; what holds it is released', async () => {
  const { open, database, visits, pass } = openTouches()
  const touches = open()
  database.state = 'away'
  const bodies = ['short', 'x'.repeat(64 * 1024)]
  const released: string[] = []
  for (const body of bodies)
    void touches.submit({ ...visit(body.slice(0, 5)), visit: { ...HTTP, body } }, () => released.push(body))
  await pass(2_000)
  expect(released).toEqual(bodies)
  database.state = 'up'
  await pass(1_000)
  expect(visits).toEqual([
    { ...HTTP, body: 'short' },
    { ...HTTP, isBodyCut: true },
  ])
})

it.each([
  ['an error that says nothing of the values', () => new Error('a bug')],
  ['a refusal that is about no value', () => Object.assign(new Error('no column'), { code: '42703' })],
])('a batch of which nothing is stored stays in the spool: %s', async (_name, error) => {
  const { open, database, stored, pass } = openTouches()
  const touches = open()
  database.state = 'away'
  for (const name of ['one', 'two']) void touches.submit(visit(name))
  await pass(2_000)
  database.refuse = error
  await pass(1_000)
  expect([stored(), touches.waiting()]).toEqual([[], 2])
  database.refuse = undefined
  database.state = 'up'
  await pass(60_000)
  expect([stored(), touches.waiting()]).toEqual([['one', 'two'], 0])
})

it('a batch of which every value is refused is given up', async () => {
  const { open, database, stored, pass } = openTouches()
  const touches = open()
  database.state = 'away'
  for (const name of ['one', 'two']) void touches.submit(visit(name))
  await pass(2_000)
  database.refuse = () => Object.assign(new Error('invalid byte sequence'), { code: '22021' })
  await pass(1_000)
  expect([stored(), touches.waiting()]).toEqual([[], 0])
})

it('a touch that is refused for no value of its own goes to the spool at once', async () => {
  const { open, database, stored, pass } = openTouches()
  const touches = open()
  database.refuse = () => Object.assign(new Error('no column'), { code: '42703' })
  const answer = touches.submit(visit('one'))
  await pass(0)
  expect(touches.waiting()).toBe(1)
  await pass(2_000)
  expect(await answer).toEqual({ kind: undefined, settings: {} })
  database.refuse = undefined
  await pass(60_000)
  expect([stored(), touches.waiting()]).toEqual([['one'], 0])
})
