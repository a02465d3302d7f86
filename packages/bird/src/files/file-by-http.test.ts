// A file that is fetched by HTTP instead of by the link: what the loss of the link, a cancellation and a failure do to it.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Body } from '@rookery/link/messages.ts'
import { temporaryFolder } from '../../test/test-bird.ts'
import { openStateFile } from '../state-file.ts'
import { fileJobs } from './file-jobs.ts'
import type { HttpPart } from './http-fetch.ts'

const JOB = 'a'.repeat(32)
const bytes = randomBytes(400_000)

/** A Bird, and the fetches that it has begun: each waits for the test. */
function scene() {
  const directory = temporaryFolder()
  const begun: (HttpPart & { end: (error?: Error) => void })[] = []
  const [applied, states]: [Buffer[], Body<'FILE_STATE'>[]] = [[], []]
  const jobs = fileJobs({
    directory,
    stateFile: openStateFile(directory, expect.unreachable),
    kinds: new Map([
      [
        'app',
        (whole: Buffer): void => {
          applied.push(whole)
        },
      ],
    ]),
    httpFetch: (part) =>
      new Promise((resolve, reject) => {
        begun.push({ ...part, end: (error) => (error ? reject(error) : resolve()) })
        part.signal.addEventListener('abort', () => resolve())
      }),
    pid: 7,
    clock: { now: Date.now },
  })
  const link = {
    send(frame: { kind: string; body: unknown }): void {
      expect(frame.kind).toBe('FILE_STATE')
      states.push(frame.body as Body<'FILE_STATE'>)
    },
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const app = { manifest: '{}', signature: '', serverMs: 0, source: 'http://10.0.0.8/a' }
  const offer = (more: object = {}): void =>
    jobs.offer(link, { job: JOB, kind: 'app', file: { sha256, size: bytes.length }, app, ...more })
  /** Gives the fetch its next bytes. */
  const give = (to: number): void => {
    const fetch = begun.at(-1)!
    for (let at = fetch.copied(); at < to; at += 32_768)
      fetch.onBytes(bytes.subarray(at, Math.min(to, at + 32_768)))
  }
  return { directory, begun, applied, states, jobs, offer, give }
}

it('goes on from its bytes after the loss of the link, and is applied once', async () => {
  const { begun, applied, states, jobs, offer, give } = scene()
  offer()
  give(300_000)
  expect(states.map(({ state, copied }) => [state, copied])).toEqual([
    ['fetching', 0],
    ['fetching', 262_144],
  ])
  jobs.linkLost()
  await turn()
  expect([begun[0]?.signal.aborted, applied]).toEqual([true, []])
  offer()
  expect([begun[1]?.copied(), begun[1]?.source]).toEqual([300_000, 'http://10.0.0.8/a'])
  give(bytes.length)
  begun[1]?.end()
  await turn()
  expect(applied).toEqual([bytes])
  expect(states.at(-1)).toMatchObject({ state: 'applied', copied: bytes.length })
})

it('ends once, with the reason of the fetch', async () => {
  const { begun, states, offer, give, directory } = scene()
  offer()
  give(1_000)
  begun[0]?.end(new Error('the download from 10.0.0.8 failed: the answer is HTTP 404'))
  await turn()
  expect(states.filter(({ state }) => state === 'failed')).toMatchObject([
    { copied: 1_000, reason: 'the download from 10.0.0.8 failed: the answer is HTTP 404' },
  ])
  expect(existsSync(join(directory, 'incoming', JOB))).toBe(false)
})

it('fetches no more once the job is cancelled', async () => {
  const { begun, applied, states, offer, give } = scene()
  offer()
  give(1_000)
  offer({ file: undefined, cancelled: true })
  await turn()
  expect(begun[0]?.signal.aborted).toBe(true)
  expect(states.filter(({ state }) => state === 'failed')).toMatchObject([
    { reason: 'the job was cancelled' },
  ])
  expect(applied).toEqual([])
})

it('is fetched anew when the bytes of before were damaged', async () => {
  const { begun, applied, jobs, offer, give } = scene()
  offer()
  begun[0]?.onBytes(randomBytes(1_000))
  jobs.linkLost()
  offer()
  give(bytes.length)
  begun[1]?.end()
  await turn()
  expect(begun[2]?.copied()).toBe(0)
  give(bytes.length)
  begun[2]?.end()
  await turn()
  expect(applied).toEqual([bytes])
})
