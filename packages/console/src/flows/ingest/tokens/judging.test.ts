import { expect, it } from 'vitest'
import { nextImmediate } from '../../../db/next-immediate.ts'
import type { JudgedVisit, TokenVisit } from '../ingest-item.ts'
import { judgementOf, judging } from './judging.ts'
import type { CachedToken } from './token-cache.ts'

const tokenOf = (kind: string, settings = {}): CachedToken => ({
  token_id: 'id',
  number: 1,
  kind,
  memo: '',
  flock_id: 'flock:default',
  settings,
  enabled: 1,
  first_only: 0,
  quietSources: { entryFor: () => undefined },
  visited: { tokenId: 'id', createdAt: 0, derive: () => Buffer.alloc(0) },
})

const visitOf = (srcHost: string, n: number): TokenVisit => ({
  tokenId: 'id',
  srcPort: n,
  dstHost: '',
  receivedAt: 0,
  visit: { channel: 'http', method: 'GET', path: '/id', headers: {}, srcHost, dstPort: 80 },
})

const names = (judged: readonly JudgedVisit[]): string[] =>
  judged.map(({ visit, srcPort }) => `${visit.srcHost} ${srcPort}`)

it('visits are judged for five milliseconds a turn of the event loop, one of each source after the other', async () => {
  let nowMs = 0
  // To judge one takes three milliseconds.
  const judge = judging(
    { peek: () => tokenOf('http'), read: () => Promise.reject(new Error()) },
    () => (nowMs += 3),
  )
  const judged: JudgedVisit[] = []
  for (let n = 1; n <= 5; n++) judge(visitOf('192.0.2.1', n), (it) => judged.push(it))
  for (const n of [1, 2]) judge(visitOf('192.0.2.2', n), (it) => judged.push(it))
  // Another address of the same customer.
  for (const n of [1, 2]) judge(visitOf(`2001:db8::${n}`, n), (it) => judged.push(it))
  const turns = [
    ['192.0.2.1 1', '192.0.2.1 2'],
    ['192.0.2.1 3', '192.0.2.2 1'],
    ['2001:db8::1 1', '192.0.2.1 4'],
    ['192.0.2.2 2', '2001:db8::2 2'],
    ['192.0.2.1 5'],
  ]
  for (let turn = 1; turn <= turns.length; turn++) {
    expect(names(judged)).toEqual(turns.slice(0, turn).flat())
    await nextImmediate()
  }
  // Once nothing waits, a visit is judged at once.
  judge(visitOf('192.0.2.3', 1), (it) => judged.push(it))
  expect(names(judged).at(-1)).toBe('192.0.2.3 1')
})

it('a visit is judged before it is stored, and once more where its token was changed meanwhile', async () => {
  const visit = visitOf('192.0.2.1', 1)
  const token = tokenOf('cloned-css', { expected_referrer: 'a.example' })
  const judged = await new Promise<JudgedVisit>((resolve) =>
    judging({ peek: () => undefined, read: () => Promise.resolve(token) })(visit, resolve),
  )
  expect(judged.judgement?.verdict).toBe('quiet')
  expect(judgementOf(judged, tokenOf('cloned-css', { ...token.settings }))).toBe(judged.judgement)
  expect(judgementOf(judged, tokenOf('http')).verdict).toBe('fire')
  expect(judgementOf(judged, { ...token, enabled: 0 }).verdict).toBe('nothing')
})

it.each([
  ['has no token', () => Promise.resolve(undefined)],
  ['comes while the database is away', () => Promise.reject(new Error('away'))],
])('a visit that %s is handed over without a judgement', async (_, read) => {
  const visit = visitOf('192.0.2.1', 1)
  const judge = judging({ peek: () => undefined, read })
  expect(await new Promise((resolve) => judge(visit, resolve))).toBe(visit)
})
