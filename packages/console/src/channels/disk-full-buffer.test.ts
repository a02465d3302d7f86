import { Fault } from '@rookery/kernel/fault.ts'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { expect, it } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import type { TokenOutcome, TokenVisit } from '../flows/ingest/ingest-item.ts'
import { diskFullBuffer } from './disk-full-buffer.ts'

const OUTCOMES = limit('test_token_outcomes', 10)
const OUTCOME: TokenOutcome = { kind: 'k', settings: {} }
const visit = (tokenId: string): TokenVisit => ({
  tokenId,
  visit: { channel: 'http', method: 'GET', path: '/', headers: {}, srcHost: '192.0.2.7', dstPort: 80 },
  srcPort: 0,
  dstHost: '10.0.0.1',
  receivedAt: 0,
})

/** A store whose disk is full until `hasRoom`, and which refuses the token `broken` for good. */
function openBuffer() {
  const clock = manualClock()
  const stored: string[] = []
  const lost: string[] = []
  const disk = { hasRoom: false, isSilent: false, speak: (): void => undefined }
  const outcomes = boundedMap<string, TokenOutcome>(OUTCOMES)
  const buffer = diskFullBuffer({
    clock,
    outcomes: () => Promise.resolve(outcomes),
    async store({ tokenId }) {
      if (disk.isSilent) await new Promise<void>((resolve) => (disk.speak = resolve))
      if (tokenId === 'broken') return Promise.reject(new Error('refused'))
      if (!disk.hasRoom) return Promise.reject(new Fault('unavailable', 'The disk is full.'))
      stored.push(tokenId)
      return Promise.resolve(OUTCOME)
    },
    onLost: ({ tokenId }) => lost.push(tokenId),
  })
  /** Lets what is due run to its end. */
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { buffer, disk, stored, lost, pass }
}

it('a touch on a full disk is answered after 2 s and stored once there is room', async () => {
  const { buffer, disk, stored, pass } = openBuffer()
  const answer = buffer.submit(visit('one'))
  await pass(0)
  expect(buffer.size()).toBe(1)
  await pass(2_000)
  expect(await answer).toEqual({ kind: undefined, settings: {} })
  disk.hasRoom = true
  await pass(1_000)
  expect([stored, buffer.size()]).toEqual([['one'], 0])
  expect(await buffer.submit(visit('two'))).toBe(OUTCOME)
})

it('while the database says nothing, a touch is answered after 2 s as the token was last, and stored once', async () => {
  const { buffer, disk, stored, lost, pass } = openBuffer()
  disk.hasRoom = true
  expect(await buffer.submit(visit('one'))).toBe(OUTCOME)
  disk.isSilent = true
  const answer = buffer.submit(visit('one'))
  await pass(2_000)
  expect([await answer, buffer.size(), stored]).toEqual([OUTCOME, 1, ['one']])
  disk.speak()
  await pass(5_000)
  expect([buffer.size(), stored, lost]).toEqual([0, ['one', 'one'], []])
})

it('a touch that was answered meanwhile and then refused is tried again', async () => {
  const { buffer, disk, stored, pass } = openBuffer()
  disk.isSilent = true
  const answer = buffer.submit(visit('one'))
  await pass(2_000)
  expect(await answer).toEqual({ kind: undefined, settings: {} })
  disk.isSilent = false
  disk.speak()
  await pass(0)
  expect([buffer.size(), stored]).toEqual([1, []])
  disk.hasRoom = true
  await pass(1_000)
  expect([buffer.size(), stored]).toEqual([0, ['one']])
})

it('a touch beyond the limit is lost and reported; the visitor is answered all the same', async () => {
  const { buffer, lost, pass } = openBuffer()
  const answers = Array.from({ length: 10_002 }, (_, n) => buffer.submit(visit(`token ${n}`)))
  await pass(0)
  expect([buffer.size(), lost]).toEqual([10_000, ['token 10000', 'token 10001']])
  await pass(2_000)
  expect(await Promise.all(answers)).toHaveLength(10_002)
})

it('a touch that the database refuses rejects at once', async () => {
  const { buffer } = openBuffer()
  await expect(buffer.submit(visit('broken'))).rejects.toThrow('refused')
  expect(buffer.size()).toBe(0)
})

it('a stop tries a last time and answers how many touches are lost', async () => {
  const { buffer, disk, stored, pass } = openBuffer()
  void buffer.submit(visit('one'))
  await pass(0)
  expect(await buffer.stop()).toBe(1)
  disk.hasRoom = true
  expect(await buffer.stop()).toBe(0)
  expect(stored).toEqual(['one'])
})
