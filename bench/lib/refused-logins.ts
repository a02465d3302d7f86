// Logins at a server that greets, refuses and closes: jobs in, figures out.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { LOAD_CORE, pin } from './cores.ts'
import type { Load } from './load.ts'

export interface RefusedLogins {
  readonly host: string
  readonly port: number
  readonly connections: number
  /** Sent behind the greeting; latin1. */
  readonly login: string
  /** Part of the refusal. */
  readonly refusal: string
  readonly ms: number
}

/** Runs once, in a process of its own, on the core of the load. */
export function refusedLogins(job: RefusedLogins): Promise<Load> {
  const child = fork(join(import.meta.dirname, 'refused-logins.child.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  pin(child.pid ?? 0, LOAD_CORE)
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The load generator ended.')))
    child.once('message', (load: Load) => {
      resolve(load)
      child.disconnect()
    })
    child.send(job)
  })
}
