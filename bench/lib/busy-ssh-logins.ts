// Logins over SSH that keep a server busy: jobs in, figures out.
import { LOAD_CORE } from './cores.ts'
import { openJobs } from './jobs.ts'
import type { SshLogins } from './ssh-logins.ts'

export interface BusySshLogins {
  readonly host: string
  readonly port: number
  readonly connections: number
  readonly count: number
}

/** Runs once, in a process of its own, on the core of the load. */
export async function busySshLogins(job: BusySshLogins): Promise<SshLogins> {
  const jobs = openJobs<BusySshLogins, SshLogins>('busy-ssh-logins.child.ts', LOAD_CORE)
  try {
    return await jobs.run(job)
  } finally {
    jobs.stop()
  }
}
