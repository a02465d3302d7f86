// Asks the checkpoint thread to work, and holds the writer back once the log has grown past its bound.
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../worker-url.ts'

export interface Checkpointer {
  /** Tells of a commit; resolves at once unless the log is too long. */
  afterCommit(): void
  ready(): Promise<void>
  close(): Promise<void>
}

const PASSIVE_BYTES = 4 * 1024 * 1024
const RESTART_BYTES = 32 * 1024 * 1024
const LOOK_EVERY = 16

export function startCheckpointer(path: string): Checkpointer {
  const worker = new Worker(workerUrl('checkpoint', import.meta.url), { workerData: { path } })
  worker.unref()
  let commits = 0
  let passed = 0
  let busy: Promise<void> | undefined

  function ask(mode: 'PASSIVE' | 'RESTART'): Promise<void> {
    busy ??= new Promise<void>((resolve) => {
      worker.once('message', () => {
        busy = undefined
        resolve()
      })
      worker.postMessage(mode)
    })
    return busy
  }

  function logBytes(): number {
    return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  }

  return {
    afterCommit() {
      commits++
    },
    async ready() {
      if (commits - passed < LOOK_EVERY) return
      passed = commits
      const bytes = logBytes()
      if (bytes > RESTART_BYTES) {
        await busy
        await ask('RESTART')
      } else if (bytes > PASSIVE_BYTES && !busy) void ask('PASSIVE')
    },
    async close() {
      // Nothing else may keep the process alive by now, and the rest of the stop must still happen.
      worker.ref()
      await busy
      const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      worker.postMessage('close')
      await gone
    },
  }
}
