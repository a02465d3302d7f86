// Worker threads of decoys: where their code lies.
import { Worker } from 'node:worker_threads'

/** Starts `<name>.worker`, a file in the caller's folder. The thread keeps no process alive. */
export function startThread(name: string, callerUrl: string, workerData: object): Worker {
  // Next to its source while TypeScript runs directly; the bundler puts every worker next to the bundle.
  const type = callerUrl.endsWith('.mjs') ? 'mjs' : 'ts'
  const made = new Worker(new URL(`./${name}.worker.${type}`, callerUrl), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
  })
  made.unref()
  return made
}
