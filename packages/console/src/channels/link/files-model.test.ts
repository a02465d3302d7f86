// Files for a Bird under whatever may happen to them. In the end each transfer has ended, the Bird says the same of it, and it was
// applied if and only if its row says so.
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileJobs, type FileJobs } from '@rookery/bird/files/file-jobs.ts'
import { openStateFile } from '@rookery/bird/state-file.ts'
import { sized } from '@rookery/kernel/test/size.ts'
import { enrolledBird, helloBird, type TestBird } from '../../../test/link-bird.ts'
import { ownFolder } from '../../../test/own-folder.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { jobs } from '../../../test/transfers.ts'

interface Process {
  files: FileJobs
  alive: boolean
  /** It hangs once it has applied a file, until it is killed. */
  doomed: boolean
}

/** The Bird's own jobs at the end of a link that can be lost, in a process that can be killed. */
function killableBird(first: TestBird & { readonly nodeId: string }) {
  const directory = ownFolder()
  /** The size of each file that was applied: no two files of a run have the same. */
  const applied: number[] = []
  let bird: TestBird = first
  let read = 0
  let process = startProcess()

  function startProcess(): Process {
    const self: Process = { alive: true, doomed: false, files: undefined as never }
    /** A process that was killed does not go on. */
    const unlessOver = async (over: () => boolean): Promise<void> => {
      await turn()
      if (over()) await new Promise(() => undefined)
    }
    const apply = async (bytes: Buffer): Promise<void> => {
      await unlessOver(() => !self.alive)
      applied.push(bytes.length)
      await unlessOver(() => !self.alive || self.doomed)
    }
    self.files = fileJobs({
      directory,
      pid: 77,
      clock: { now: Date.now },
      kinds: new Map([['webroot', apply]]),
      stateFile: openStateFile(directory, expect.unreachable),
    })
    return self
  }

  return {
    applied,
    ends: () => openStateFile(directory, expect.unreachable).values.fileResults ?? [],
    /** Takes the frames that have come. */
    async take(): Promise<void> {
      await turn()
      const { files } = process
      const link = bird
      for (; read < link.received.length; read++) {
        const frame = link.received[read]!
        if (frame.kind === 'FILE_OFFER') files.offer(link, frame.body)
        if (frame.kind === 'FILE_CHUNK') files.chunk(frame.body)
      }
    },
    async reconnect({ console }: TestConsole): Promise<void> {
      process.files.linkLost()
      await bird.close()
      bird = await helloBird(console.linkUrl, { nodeId: first.nodeId, files: 1 }, { key: first.key })
      read = 0
      await bird.receives('REGISTERED')
    },
    doom: () => void (process.doomed = true),
    isDoomed: () => process.doomed,
    kill(): void {
      process.alive = false
      process = startProcess()
    },
    /** No byte of this job can be written. */
    fillDisk(job: string): void {
      mkdirSync(join(directory, 'incoming'), { recursive: true })
      rmSync(join(directory, 'incoming', job), { force: true })
      symlinkSync('/dev/full', join(directory, 'incoming', job))
    },
  }
}

const step = fc.constantFrom(
  ...(['start', 'start', 'upload', 'upload', 'upload', 'cancel', 'cancel', 'overdue', 'lose'] as const),
  ...(['kill', 'doom', 'doom', 'restart', 'full', 'take', 'take', 'take'] as const),
  ...(['settle', 'settle', 'settle'] as const),
)

describe.each(engines)('files for a Bird (%s)', (engine) => {
  it('end in one way, on both sides, whatever happens in whatever order', { timeout: 600_000 }, async () => {
    // The Bird connects again at once, over and over.
    const often = { ROOKERY_BIRD_HELLOS: '1000', ROOKERY_LINK_HANDSHAKES_PER_SECOND: '1000' }
    const shared = engine === 'postgres' && {
      ...often,
      ROOKERY_DATABASE_URL: await freshDatabase(),
      ROOKERY_MASTER_KEY: 'ab'.repeat(32),
    }
    const first = await openTestConsole(shared ? { env: shared } : { engine, env: often })
    const consoles = shared ? [first, await openTestConsole({ env: shared })] : [first]
    const anyOf = (n: number): TestConsole => consoles[n % consoles.length]!
    let size = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.nat(99)), { minLength: 5, maxLength: 40 }),
        async (steps) => {
          const enrolled = await enrolledBird(first, { files: 1 })
          const bird = killableBird(enrolled)
          const started = new Map<string, number>()
          let killed = false
          let open: string | undefined
          for (const [what, n] of steps) {
            const job = jobs(anyOf(n))
            const row = open === undefined ? undefined : await job.row(open)
            if (row?.ended_at !== null) open = undefined
            if (what === 'start' && !open) started.set((open = await job.start(enrolled.nodeId)), 0)
            if (what === 'upload' && open && row && ['waiting', 'ready'].includes(row.state)) {
              // 7919 is prime: sizes repeat after 150,000 uploads.
              size = 1 + ((size + 7_919) % 150_000)
              started.set(open, size)
              await job.upload(open, randomBytes(size))
            }
            if (what === 'cancel' && open) await job.cancel(open)
            if (what === 'overdue') await job.sweep(anyOf(n).console.base.world.clock.now() + 31 * 60_000)
            // A disk that fills after a killed Bird applied the file, and before it said so, leaves a site that is said to have failed.
            const isApplied = open !== undefined && bird.applied.includes(started.get(open) ?? 0)
            if (what === 'full' && open && !isApplied) bird.fillDisk(open)
            if (what === 'doom') bird.doom()
            if (what === 'kill') bird.kill()
            if (what === 'restart') await anyOf(n).restart()
            killed ||= what === 'kill' || what === 'doom'
            if (['kill', 'lose', 'restart'].includes(what)) await bird.reconnect(anyOf(n))
            if (what === 'settle' && open && (row?.state === 'sending' || row?.state === 'cancelling')) {
              const id = open
              const over = async (): Promise<boolean> => {
                await bird.take()
                const hangs = bird.isDoomed() && bird.applied.includes(started.get(id) ?? 0)
                return hangs || (await job.row(id))?.ended_at !== null
              }
              await expect.poll(over, { interval: 2, timeout: 30_000 }).toBe(true)
            }
            for (let turns = 0; what === 'take' && turns < 30; turns++) await bird.take()
          }
          if (bird.isDoomed()) bird.kill()
          await bird.reconnect(anyOf(size))
          for (const id of started.keys()) {
            const row = await jobs(first).row(id)
            if (row?.state === 'waiting' || row?.state === 'ready') await jobs(first).cancel(id)
            await expect
              .poll(() => bird.take().then(() => jobs(first).row(id)), { interval: 5, timeout: 30_000 })
              .toMatchObject({ ended_at: expect.any(Number) as number, file_id: '', password: '' })
            const end = await jobs(first).row(id)
            const said = bird.ends().find(({ job }) => job === id)
            if (said) expect(said.state).toBe(end?.state)
            const times = bird.applied.filter((bytes) => bytes === started.get(id)).length
            expect([times > 0, `${id} ${end?.reason}`]).toEqual([
              end?.state === 'applied',
              `${id} ${end?.reason}`,
            ])
            // What was under way when the process was killed is done anew.
            if (!killed) expect(times).toBeLessThanOrEqual(1)
            expect(await jobs(first).owned(id)).toBe(0)
          }
        },
      ),
      // A failing case waits up to 30 s at each step, so it is not made smaller: the seed is enough.
      { numRuns: sized(60, 4), endOnFailure: true },
    )
  })
})
