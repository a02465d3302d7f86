// A load of a line protocol as its users see it: jobs in, figures out.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { LOAD_CORE, pin } from './cores.ts'
import type { Load } from './load.ts'

export interface Turn {
  readonly send: string
  /** The answer is whole after so many line ends. */
  readonly lines: number
}

export interface Dialogue {
  readonly host: string
  readonly port: number
  readonly connections: number
  /** Lines of the greeting. */
  readonly greeting: number
  /** Asked again and again; each round counts as so many hits. */
  readonly turns: readonly Turn[]
  readonly hits: number
  /** Rounds on one connection; then another is opened. */
  readonly rounds: number
  readonly ms: number
}

/** Runs in a process of its own, on the core of the load. */
export function openDialogues() {
  const child = fork(join(import.meta.dirname, 'dialogue.child.ts'), {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  pin(child.pid ?? 0, LOAD_CORE)
  return {
    run: (dialogue: Dialogue): Promise<Load> =>
      new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error('The load generator ended.'))
        child.once('exit', ended)
        child.once('message', (load: Load) => {
          child.off('exit', ended)
          resolve(load)
        })
        child.send(dialogue)
      }),
    stop: () => void child.disconnect(),
  }
}
