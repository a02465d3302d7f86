// A bare implementation of the same work, in a process of its own on the same Node.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Sketch {
  readonly port: number
  stop(): Promise<void>
}

/** Starts `sketches/<name>.child.ts` with arguments; it tells its port when it listens. */
export async function startSketch(name: string, ...args: readonly string[]): Promise<Sketch> {
  const child = fork(join(import.meta.dirname, `${name}.child.ts`), args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const gone = once(child, 'exit')
  const port = await Promise.race([
    once(child, 'message').then(([message]) => (message as { port: number }).port),
    gone.then(() => Promise.reject(new Error(`The sketch ${name} ended before it listened.`))),
  ])
  return {
    port,
    async stop() {
      child.disconnect()
      await gone
    },
  }
}
