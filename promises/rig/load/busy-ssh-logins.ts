// Logins over SSH that keep a server busy: jobs in, figures out.
import { LOAD_CORE } from '../cores.ts'
import { runJob } from './jobs.ts'
import type { SshLogins } from './ssh-logins.ts'

export interface BusySshLogins {
  readonly host: string
  readonly port: number
  readonly connections: number
  readonly count: number
}

/** In a process of its own, on the core of the load. */
export const busySshLogins = (job: BusySshLogins): Promise<SshLogins> =>
  runJob('busy-ssh-logins.child.ts', LOAD_CORE, job)
