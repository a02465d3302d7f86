// Worker threads: where their code lies, and the fault when the system refuses one.
import { Worker } from 'node:worker_threads'
import { Fault } from '@rookery/kernel/fault.ts'

/**
 * Starts `<name>.worker`, a file in the caller's folder; the thread keeps no process alive. Throws `unavailable` when the
 * system gives no thread, as at its limit of processes.
 */
export function startThread(name: string, callerUrl: string, workerData: object): Worker {
  // Next to its source while TypeScript runs directly; the bundler puts every worker next to the bundle.
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
