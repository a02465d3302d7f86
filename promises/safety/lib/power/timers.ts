// How late timers are on this machine, in a process of the priority that the local Bird has.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Timers {
  /** The latest since the last question, milliseconds. */
  late(): Promise<number>
  stop(): void
}

export function openTimers(): Timers {
  const child = fork(join(import.meta.dirname, 'timers.child.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  return {
    async late() {
      child.send('late?')
      const [late] = (await once(child, 'message')) as [number]
      return late
    },
    stop: () => void child.disconnect(),
  }
}
