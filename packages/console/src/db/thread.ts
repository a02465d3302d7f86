// Threads: where their code lies, and what is said when the system gives none.
import { Worker } from 'node:worker_threads'
import { Fault } from '@rookery/kernel/fault.ts'

/**
 * Starts `<name>.worker`, a file in the caller's folder; the thread keeps no process alive. Throws `unavailable` when the
 * system gives no thread, as at its limit of processes.
 */
export function startThread(name: string, callerUrl: string, workerData: object): Worker {
  // Beside its source while TypeScript runs directly; the bundler puts all of them beside the bundle.
  const type = callerUrl.endsWith('.mjs') ? 'mjs' : 'ts'
  const url = new URL(`./${name}.worker.${type}`, callerUrl)
  try {
    const made = new Worker(url, { workerData })
    made.unref()
    return made
  } catch (error) {
    throw new Fault('unavailable', 'The system gives the console no thread now.', {
      retryAfterS: 5,
      cause: error,
    })
  }
}
