// Logins at a server that greets, refuses and closes: jobs in, figures out.
import { LOAD_CORE } from '../cores.ts'
import { runJob } from './jobs.ts'
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

/** In a process of its own, on the core of the load. */
export const refusedLogins = (job: RefusedLogins): Promise<Load> =>
  runJob('refused-logins.child.ts', LOAD_CORE, job)
