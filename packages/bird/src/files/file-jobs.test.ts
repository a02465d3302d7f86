import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import type { Body } from '@rookery/link/messages.ts'
import { openStateFile } from '../state-file.ts'
import { fileJobs, type ApplyFile, type FileJobs } from './file-jobs.ts'

const JOB = 'a'.repeat(32)

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rookery-files-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A Bird with one kind of files, and a console that has one file for it. */
function pair(bytes: Buffer, directory = folder(), apply: ApplyFile = () => undefined) {
  const applied: Buffer[] = []
  const states: Body<'FILE_STATE'>[] = []
  let wanted: Body<'FILE_FETCH'>[] = []
  const kinds = new Map<string, ApplyFile>([
    [
      'webroot',
      async (whole) => {
        await apply(whole, { job: '', kind: 'webroot' })
        applied.push(Buffer.from(whole))
      },
    ],
  ])
  const start = (): FileJobs =>
    fileJobs({
      directory,
      stateFile: openStateFile(directory, expect.unreachable),
      kinds,
      pid: 77,
      clock: { now: Date.now },
    })
  let jobs = start()
  const link = {
    send(frame: { kind: string; body: unknown }) {
      if (frame.kind === 'FILE_FETCH') wanted.push(frame.body as Body<'FILE_FETCH'>)
      else states.push(frame.body as Body<'FILE_STATE'>)
    },
  }
  const file = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
  const loseLink = (): void => {
    wanted = []
    jobs.linkLost()
  }
  return {
    directory,
    applied,
    states,
    asked: () => wanted.length,
    fetched: () => wanted.map(({ offset }) => offset),
    offer: (more: Partial<Body<'FILE_OFFER'>> = {}) =>
      jobs.offer(link, { job: JOB, kind: 'webroot', file, ...more }),
    cancel: () => jobs.offer(link, { job: JOB, kind: 'webroot', cancelled: true }),
    announce: () => jobs.offer(link, { job: JOB, kind: 'webroot' }),
    /** Answers one fetch. */
    deliver(change = (piece: Buffer) => piece) {
      const next = wanted.shift()
      if (!next) return false
      const piece = change(bytes.subarray(next.offset, next.offset + next.length))
      jobs.chunk({ job: JOB, offset: next.offset, bytes: piece.toString('base64') })
      return true
    },
    loseLink,
    restart() {
      loseLink()
      jobs = start()
    },
    last: () => states.at(-1),
  }
}

async function deliverAll(bird: ReturnType<typeof pair>): Promise<void> {
  while (bird.deliver());
  await turn()
}

it('a file is fetched four pieces at a time, applied, and its end is sent again at each offer', async () => {
  const bytes = randomBytes(300_000)
  const bird = pair(bytes)
  bird.announce()
  expect(bird.last()).toEqual({ job: JOB, state: 'ready', copied: 0, pid: 77, reason: '' })
  bird.offer()
  expect(bird.asked()).toBe(4)
  await deliverAll(bird)
  expect(bird.applied).toEqual([bytes])
  bird.restart()
  bird.offer()
  await deliverAll(bird)
  expect(bird.applied).toHaveLength(1)
  expect(bird.states.filter(({ state }) => state === 'applied')).toHaveLength(2)
  expect(existsSync(join(bird.directory, 'incoming', JOB))).toBe(false)
})

it('an empty file is applied without a fetch', async () => {
  const bird = pair(Buffer.alloc(0))
  bird.offer()
  await turn()
  expect(bird.last()).toMatchObject({ state: 'applied' })
})

it('after a restart it goes on from the bytes that are there', () => {
  const bird = pair(randomBytes(300_000))
  bird.offer()
  bird.deliver()
  bird.deliver()
  bird.restart()
  bird.offer()
  expect(bird.last()).toMatchObject({ state: 'fetching', copied: 65_536 })
  expect(bird.fetched()[0]).toBe(65_536)
})

it('bytes of a job that the console gave up long ago are removed at a start', () => {
  const bird = pair(randomBytes(9))
  const incoming = join(bird.directory, 'incoming')
  mkdirSync(incoming)
  for (const [name, daysAgo] of [
    ['old', 4],
    ['young', 2],
  ] as const) {
    writeFileSync(join(incoming, name), 'bytes')
    utimesSync(join(incoming, name), Date.now() / 1000, Date.now() / 1000 - daysAgo * 86_400)
  }
  bird.restart()
  expect(readdirSync(incoming)).toEqual(['young'])
})

it('bytes that a power cut damaged are fetched once more; a file that is another one is refused', async () => {
  const bytes = randomBytes(90_000)
  const bird = pair(bytes)
  mkdirSync(join(bird.directory, 'incoming'))
  writeFileSync(join(bird.directory, 'incoming', JOB), Buffer.alloc(50_000))
  bird.offer()
  await deliverAll(bird)
  await deliverAll(bird)
  expect(bird.applied).toEqual([bytes])
  const other = pair(bytes)
  other.offer()
  while (other.deliver((piece) => Buffer.alloc(piece.length)));
  await turn()
  expect(other.last()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('another SHA-256') as string,
  })
})

it('a full disk, an unknown kind, a refused file, a cancelled job: each end has its reason', async () => {
  const full = pair(randomBytes(9_000))
  mkdirSync(join(full.directory, 'incoming'))
  symlinkSync('/dev/full', join(full.directory, 'incoming', JOB))
  full.offer()
  full.deliver()
  expect(full.last()).toMatchObject({ state: 'failed', reason: expect.stringContaining('ENOSPC') as string })

  const unknown = pair(randomBytes(9))
  unknown.offer({ kind: 'moon' })
  expect(unknown.last()?.reason).toBe('this Bird does not know files of the kind moon')

  const refusing = pair(randomBytes(9), folder(), () => Promise.reject(new Error('must be a ZIP archive')))
  refusing.offer()
  await deliverAll(refusing)
  expect(refusing.last()).toMatchObject({ state: 'failed', reason: 'must be a ZIP archive' })

  const cancelled = pair(randomBytes(99_000))
  cancelled.offer()
  cancelled.deliver()
  cancelled.offer({ cancelled: true })
  await deliverAll(cancelled)
  expect(cancelled.last()).toMatchObject({ state: 'failed', reason: 'the job was cancelled' })
  expect(cancelled.applied).toEqual([])
  expect(existsSync(join(cancelled.directory, 'incoming', JOB))).toBe(false)
})

it('a job that is cancelled after the Bird was killed while it applied the file says that it is applied', async () => {
  let stop = (): Promise<void> => new Promise(() => undefined)
  const seen: Buffer[] = []
  const bytes = randomBytes(70_000)
  // The first process ends between the swap and its result.
  const bird = pair(bytes, folder(), (whole) => (seen.push(whole), stop()))
  bird.offer()
  await deliverAll(bird)
  expect([seen.length, bird.last()?.state]).toEqual([1, 'fetching'])
  stop = () => Promise.resolve()
  bird.restart()
  bird.cancel()
  await turn()
  expect(bird.last()).toMatchObject({ state: 'applied', copied: bytes.length })
  expect(bird.applied).toEqual([bytes])
  bird.restart()
  bird.cancel()
  expect(bird.last()?.state).toBe('applied')
  expect(bird.applied).toHaveLength(1)
})

it('whatever happens in whatever order, the file is applied once or never, and the last word says which', async () => {
  const what = fc.constantFrom(
    'offer',
    'deliver',
    'deliver',
    'deliver',
    'lose',
    'restart',
    'turn',
    'cancel',
    'announce',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(what, { maxLength: 40 }),
      fc.integer({ min: 1, max: 200_000 }),
      async (steps, size) => {
        const bytes = randomBytes(size)
        const bird = pair(bytes, mkdtempSync(join(tmpdir(), 'rookery-files-')))
        try {
          for (const step of steps) {
            if (step === 'offer') bird.offer()
            if (step === 'announce') bird.announce()
            if (step === 'deliver') bird.deliver()
            if (step === 'lose') bird.loseLink()
            if (step === 'cancel') bird.offer({ cancelled: true })
            // The process ends between two turns, so what it was applying has ended.
            if (step === 'restart') await turn().then(bird.restart)
            if (step === 'turn') await turn()
          }
          bird.loseLink()
          bird.offer()
          await deliverAll(bird)
          const end = bird.last()
          expect(['applied', 'failed']).toContain(end?.state)
          expect(bird.applied).toEqual(end?.state === 'applied' ? [bytes] : [])
          expect(end?.state === 'failed').toBe(steps.includes('cancel') && bird.applied.length === 0)
        } finally {
          rmSync(bird.directory, { recursive: true, force: true })
        }
      },
    ),
    { numRuns: sized(200, 20) },
  )
})
