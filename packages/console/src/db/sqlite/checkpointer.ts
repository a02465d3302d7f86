// Runs checkpoints in a thread, which starts at the first one, and delays the writer while the log is too long.
import type { Worker } from 'node:worker_threads'
import { startThread } from '../thread.ts'
import { checkpoint, type Mode } from './checkpoint.ts'
import type { Connection } from './connection.ts'

export interface Checkpointer {
  /** Call it after each commit. */
  afterCommit(): void
  /** Resolves at once unless the log is too long. */
  ready(): Promise<void>
  /** Resolves once little of the log is left to copy, or a reader of an old snapshot prevents it. */
  checkpointed(): Promise<void>
  close(): Promise<void>
}

/** Frames of the log, and how many of them are in the database file. */
interface LogState {
  readonly log: number
  readonly checkpointed: number
}

/** A page and its frame header. */
const FRAME_BYTES = 4096 + 24
const PASSIVE_FRAMES = (4 * 1024 * 1024) / FRAME_BYTES
const RESTART_FRAMES = (32 * 1024 * 1024) / FRAME_BYTES
/** Long work waits while more than this is left to copy: it would delay the writer. */
const BULK_FRAMES = 2 * PASSIVE_FRAMES
/** The writer waits for a RESTART, which comes when this little is left to copy, or the log is so much longer. */
const FEW_FRAMES = 300
const SLACK_FRAMES = (8 * 1024 * 1024) / FRAME_BYTES
/** A reader of an old snapshot prevents a RESTART; the next try comes when the log is so much longer. */
const RETRY_FRAMES = (16 * 1024 * 1024) / FRAME_BYTES
const COMMITS_PER_CHECK = 16

export function openCheckpointer(path: string, writing: Connection): Checkpointer {
  const thread = openCheckpointThread(path, writing)
  // The file of the log keeps its size after a RESTART: only SQLite knows how much of it is in use.
  const state = writing.statement('PRAGMA wal_checkpoint(NOOP)')
  let commits = 0
  let restartAt = RESTART_FRAMES

  return {
    afterCommit() {
      commits++
    },
    async ready() {
      if (commits < COMMITS_PER_CHECK) return
      commits = 0
      const { log, checkpointed } = state.get([]) as LogState
      const left = log - checkpointed
      const isDue = log > restartAt
      const isIdle = thread.running() === undefined
      if ((isDue && isIdle && left <= FEW_FRAMES) || log > restartAt + SLACK_FRAMES) {
        await thread.running()
        restartAt = (await thread.run('RESTART')) ? RESTART_FRAMES : log + RETRY_FRAMES
      } else if (isIdle && left > (isDue ? FEW_FRAMES : PASSIVE_FRAMES)) {
        void thread.run('PASSIVE').then(() => (commits = COMMITS_PER_CHECK))
      }
    },
    async checkpointed() {
      const { log, checkpointed } = state.get([]) as LogState
      const isDue = log > restartAt
      if (!isDue && log - checkpointed <= BULK_FRAMES) return
      await thread.run('PASSIVE')
      // Only a checkpoint that copies everything calls fsync on the file. One that starts with little to copy does so
      // nearly always, and the RESTART, for which the writer waits, need not.
      if (isDue) await thread.run('PASSIVE')
      commits = COMMITS_PER_CHECK
    },
    close: thread.close,
  }
}

interface CheckpointThread {
  /** Resolves with whether the whole log is in the database file; while one checkpoint runs, with the result of that. */
  run(mode: Mode): Promise<boolean>
  /** The checkpoint that runs now. */
  running(): Promise<boolean> | undefined
  close(): Promise<void>
}

function openCheckpointThread(path: string, writing: Connection): CheckpointThread {
  let worker: Worker | undefined
  let running: Promise<boolean> | undefined
  let finish: (isWhole: boolean) => void = () => undefined

  function start(): Worker {
    const started = startThread('checkpoint', import.meta.url, { path })
    started.on('message', (isWhole: boolean) => finish(isWhole))
    // `exit` follows, and the next checkpoint starts another thread.
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (worker === started) worker = undefined
      finish(false)
    })
    return started
  }

  return {
    running: () => running,
    run(mode) {
      if (running) return running
      const { promise, resolve } = Promise.withResolvers<boolean>()
      running = promise
      finish = (isWhole) => {
        running = undefined
        resolve(isWhole)
      }
      try {
        worker ??= start()
        worker.postMessage(mode)
      } catch {
        // Without a thread the writer does it: commits wait, but the log does not grow.
        finish(checkpoint(writing.raw, 'PASSIVE'))
      }
      return promise
    },
    async close() {
      // The thread must keep the process alive until it has ended: the rest of the stop follows.
      worker?.ref()
      await running
      const last = worker
      if (!last) return
      const ended = new Promise<void>((resolve) => last.once('exit', () => resolve()))
      last.postMessage('close')
      await ended
    },
  }
}
