import { expect, it } from 'vitest'
import type { ForgedFile } from '@rookery/tokens/forge.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { ForgeEnded, type ForgeProcess } from './forge-process.ts'
import { ForgingTooLong, openForgeQueue } from './forge-queue.ts'
import type { ForgeJob } from './messages.ts'

const job = (kind: string): ForgeJob => ({
  kind,
  address: { tokenId: kind, url: `http://t.example/${kind}`, hostname: `${kind}.t.example` },
  placement: { wireguard: { endpoint: 'vpn.t.example:51820', publicKey: '' } },
  settings: {},
  issued: {},
  uploads: {},
  seed: new Uint8Array(32),
})

/** A process whose jobs the test ends. */
interface Scripted {
  readonly jobs: {
    readonly kind: string
    readonly workMs: number | undefined
    readonly done: PromiseWithResolvers<ForgedFile>
  }[]
  readonly loaded: string[]
  isEnded: boolean
}

const ADMIN = { keyId: 'admin', isFactory: false }
const FACTORY = { keyId: 'factory', isFactory: true }

/** `ready`: when a process has started. */
function open(ready = Promise.resolve()) {
  const clock = manualClock()
  const started: Scripted[] = []
  const start = (): ForgeProcess => {
    const scripted: Scripted = { jobs: [], loaded: [], isEnded: false }
    started.push(scripted)
    return {
      ready,
      load: (kind) => scripted.loaded.push(kind),
      run({ kind, workMs }) {
        const done = Promise.withResolvers<ForgedFile>()
        scripted.jobs.push({ kind, workMs, done })
        return done.promise
      },
      isAlive: () => !scripted.isEnded,
      end() {
        scripted.isEnded = true
        scripted.jobs.at(-1)?.done.reject(new ForgeEnded('broken', 'ended'))
      },
    }
  }
  return { clock, started, queue: openForgeQueue({ clock, start }) }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const file: ForgedFile = { filename: 'a.png', contentType: 'image/png', bytes: new Uint8Array(1) }

it('files are made one at a time, and what waits is read when its turn comes', async () => {
  const { queue, started } = open()
  const read: string[] = []
  const forging = ['a', 'b', 'c'].map((kind) =>
    queue.forge(ADMIN, () => {
      read.push(kind)
      return Promise.resolve(job(kind))
    }),
  )
  for (const kind of ['a', 'b', 'c']) {
    await settle()
    expect(started.map(({ jobs }) => jobs.at(-1)?.kind)).toEqual([kind])
    expect(read.at(-1)).toBe(kind)
    started[0]?.jobs.at(-1)?.done.resolve(file)
  }
  expect(await Promise.all(forging)).toEqual([file, file, file])
})

it('the process ends after 30 s without work, and the next file starts another', async () => {
  const { queue, started, clock } = open()
  const forge = async (): Promise<ForgedFile> => {
    const forging = queue.forge(ADMIN, () => Promise.resolve(job('a')))
    await settle()
    started.at(-1)?.jobs.at(-1)?.done.resolve(file)
    return forging
  }
  expect(started).toEqual([])
  await forge()
  await settle()
  clock.advance(29_999)
  await forge()
  await settle()
  clock.advance(29_999)
  expect(started.map(({ isEnded }) => isEnded)).toEqual([false])
  clock.advance(1)
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true])
  await forge()
  expect(started).toHaveLength(2)
})

it('a file that takes longer than 20 s is given up, with its process; the next one is made', async () => {
  const { queue, started, clock } = open()
  const slow = queue.forge(ADMIN, () => Promise.resolve(job('slow')))
  const next = queue.forge(ADMIN, () => Promise.resolve(job('next')))
  await settle()
  clock.advance(20_000)
  await expect(slow).rejects.toThrow(ForgingTooLong)
  await settle()
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, false])
  started[1]?.jobs.at(-1)?.done.resolve(file)
  expect(await next).toEqual(file)
})

it('a process that breaks fails the file that it makes alone', async () => {
  const { queue, started } = open()
  const broken = queue.forge(ADMIN, () => Promise.resolve(job('broken')))
  const next = queue.forge(ADMIN, () => Promise.resolve(job('next')))
  await settle()
  if (started[0]) started[0].isEnded = true
  started[0]?.jobs[0]?.done.reject(new ForgeEnded('memory', 'too large'))
  await expect(broken).rejects.toThrow('too large')
  await settle()
  started[1]?.jobs.at(-1)?.done.resolve(file)
  expect(await next).toEqual(file)
})

it('what cannot be read fails alone; a queue that is full, and one that is stopped, refuse', async () => {
  const { queue, started } = open()
  await expect(queue.forge(ADMIN, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(started).toEqual([])
  const forging = Array.from({ length: 129 }, () => queue.forge(ADMIN, () => Promise.resolve(job('a'))))
  const ends = Promise.allSettled(forging)
  await expect(queue.forge(ADMIN, () => Promise.resolve(job('b')))).rejects.toMatchObject({
    code: 'unavailable',
    message: '128 files of tokens wait to be made. Try again in 5 s.',
  })
  queue.stop()
  expect(new Set((await ends).map(({ status }) => status))).toEqual(new Set(['rejected']))
  await expect(queue.forge(ADMIN, () => Promise.resolve(job('c')))).rejects.toMatchObject({
    code: 'unavailable',
  })
})

it('keys take turns, and a factory that has two files waiting is refused', async () => {
  const { queue, started } = open()
  const given = (keyId: string, isFactory: boolean, kind: string) =>
    queue.forge({ keyId, isFactory }, () => Promise.resolve(job(kind)))
  const forging = [
    ...['f1', 'f2', 'f3'].map((kind) => given('factory', true, kind)),
    ...['a1', 'a2'].map((kind) => given('admin', false, kind)),
    given('other factory', true, 'o1'),
  ]
  await expect(given('factory', true, 'f4')).rejects.toMatchObject({
    code: 'too-many',
    message: '2 files of this token factory wait to be made. Try again in 5 s.',
    retryAfterS: 5,
  })
  for (const _ of forging) {
    await settle()
    started[0]?.jobs.at(-1)?.done.resolve(file)
  }
  await Promise.all(forging)
  expect(started[0]?.jobs.map(({ kind }) => kind)).toEqual(['f1', 'f2', 'a1', 'o1', 'f3', 'a2'])
})

it('a file of a factory may take 5 s of work, one of another key is bound by its time alone', async () => {
  const { queue, started } = open()
  for (const caller of [FACTORY, ADMIN]) {
    const forging = queue.forge(caller, () => Promise.resolve(job('a')))
    await settle()
    started[0]?.jobs.at(-1)?.done.resolve(file)
    await forging
  }
  expect(started[0]?.jobs.map(({ workMs }) => workMs)).toEqual([5_000, undefined])
})

it('the start of the process does not count, and one that never starts is ended', async () => {
  const starting = Promise.withResolvers<void>()
  const { queue, started, clock } = open(starting.promise)
  const forging = queue.forge(FACTORY, () => Promise.resolve(job('a')))
  await settle()
  clock.advance(59_999)
  expect([started[0]?.jobs, started[0]?.isEnded]).toEqual([[], false])
  starting.resolve()
  await settle()
  clock.advance(19_999)
  started[0]?.jobs[0]?.done.resolve(file)
  expect(await forging).toEqual(file)

  const never = open(Promise.withResolvers<void>().promise)
  void never.queue.forge(ADMIN, () => Promise.resolve(job('a')))
  await settle()
  never.clock.advance(60_000)
  expect(never.started[0]?.isEnded).toBe(true)
})

it('a creation makes ready: its kind is loaded, and the process ends after 30 s without a download', async () => {
  const { queue, started, clock } = open()
  queue.warm('pdf-reader')
  clock.advance(29_999)
  queue.warm('doc-wordproc')
  clock.advance(29_999)
  expect(started).toMatchObject([{ loaded: ['pdf-reader', 'doc-wordproc'], isEnded: false }])
  const forging = queue.forge(ADMIN, () => Promise.resolve(job('pdf-reader')))
  await settle()
  clock.advance(1)
  expect(started).toMatchObject([{ isEnded: false }])
  started[0]?.jobs[0]?.done.resolve(file)
  await forging
  await settle()
  clock.advance(30_000)
  expect(started).toMatchObject([{ isEnded: true }])
  queue.stop()
  queue.warm('pdf-reader')
  expect(started).toHaveLength(1)
})
