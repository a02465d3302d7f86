// Asks the checkpoint thread to work, which starts at the first need, and holds the writer back once the log has grown past
// its bound.
import type { Worker } from 'node:worker_threads'
import { startThread } from '../thread.ts'
import { checkpoint, type Mode } from './checkpoint.ts'
import type { Connection } from './connection.ts'

export interface Checkpointer {
  /** Tells of a commit. */
  afterCommit(): void
  /** Resolves at once unless the log is too long. */
  ready(): Promise<void>
  /** Resolves once little of the log is left to move, or whoever reads an old snapshot keeps it there. */
  checkpointed(): Promise<void>
  close(): Promise<void>
}

/** Frames of the log, and how many of them are in the database file already. */
interface LogState {
  readonly log: number
  readonly checkpointed: number
}

/** A page and its frame header. */
const FRAME_BYTES = 4096 + 24
const PASSIVE_FRAMES = (4 * 1024 * 1024) / FRAME_BYTES
const RESTART_FRAMES = (32 * 1024 * 1024) / FRAME_BYTES
/** Long work waits while more than this is left to move: it would make the writer wait. */
const EASE_FRAMES = 2 * PASSIVE_FRAMES
/** The writer waits for a restart: it comes when this little is left to move, or the log has grown so much further. */
const FEW_FRAMES = 300
const SLACK_FRAMES = (8 * 1024 * 1024) / FRAME_BYTES
/** A reader that stays on an old snapshot keeps the log from beginning anew; asked again once it has grown by so much. */
const PATIENCE_FRAMES = (16 * 1024 * 1024) / FRAME_BYTES
const LOOK_EVERY = 16

export function openCheckpointer(path: string, writing: Connection): Checkpointer {
  let worker: Worker | undefined
  // The log's file keeps its size when the log begins anew: only SQLite knows how much of it counts.
  const state = writing.statement('PRAGMA wal_checkpoint(NOOP)')
  let commits = 0
  let restartAt = RESTART_FRAMES
  let busy: Promise<boolean> | undefined
  let answer: (isWhole: boolean) => void = () => undefined

  function start(): Worker {
    const made = startThread('checkpoint', import.meta.url, { path })
    made.on('message', (isWhole: boolean) => answer(isWhole))
    // It could not open the file, or broke: nobody waits for it, and the next time another is started.
    made.on('error', () => undefined)
    made.on('exit', () => {
      if (worker === made) worker = undefined
      answer(false)
    })
    return made
  }

  /** Resolves with whether the whole log went into the database file. */
  function ask(mode: Mode): Promise<boolean> {
    if (busy) return busy
    const { promise, resolve } = Promise.withResolvers<boolean>()
    busy = promise
    answer = (isWhole) => {
      busy = undefined
      resolve(isWhole)
    }
    try {
      worker ??= start()
      worker.postMessage(mode)
    } catch {
      // There is no thread to be had: better that commits wait than that the log grows.
      answer(checkpoint(writing.raw, 'PASSIVE'))
    }
    return promise
  }

  return {
    afterCommit() {
      commits++
    },
    async ready() {
      if (commits < LOOK_EVERY) return
      commits = 0
      const { log, checkpointed } = state.get([]) as LogState
      const left = log - checkpointed
      const isDue = log > restartAt
      if ((isDue && !busy && left <= FEW_FRAMES) || log > restartAt + SLACK_FRAMES) {
        await busy
        restartAt = (await ask('RESTART')) ? RESTART_FRAMES : log + PATIENCE_FRAMES
      } else if (!busy && left > (isDue ? FEW_FRAMES : PASSIVE_FRAMES)) {
        void ask('PASSIVE').then(() => (commits = LOOK_EVERY))
      }
    },
    async checkpointed() {
      const { log, checkpointed } = state.get([]) as LogState
      const isDue = log > restartAt
      if (!isDue && log - checkpointed <= EASE_FRAMES) return
      await ask('PASSIVE')
      // Only a checkpoint that leaves nothing brings the file itself to the disk; one that begins with little to move
      // nearly always does, and spares the restart, for which the writer waits, that work.
      if (isDue) await ask('PASSIVE')
      commits = LOOK_EVERY
    },
    async close() {
      // Nothing else may keep the process alive by now, and the rest of the stop must still happen.
      worker?.ref()
      await busy
      const last = worker
      if (!last) return
      const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()))
      last.postMessage('close')
      await gone
    },
  }
}
