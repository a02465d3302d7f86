// DNS queries at the least cost, from a process of their own.
import { fork } from 'node:child_process'
import { join } from 'node:path'

export interface DnsJob {
  readonly port: number
  readonly names: readonly string[]
  /** The number of the first query: no two have the same name and the same network of 256. */
  readonly first: number
  readonly ms: number
}

export interface DnsLoad {
  readonly answered: number
  readonly perSecond: number
  /** Answers that say anything but NOERROR. */
  readonly refused: number
  /** Queries that were not answered within a second, and not asked again. */
  readonly lost: number
  readonly p50: number
  readonly p99: number
  readonly next: number
}

export interface DnsLoader {
  run(job: DnsJob): Promise<DnsLoad>
  stop(): void
}

export function openDnsLoader(): DnsLoader {
  const child = fork(join(import.meta.dirname, 'dns-load.child.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const onExit = (code: number | null): void => reject(new Error(`The load ended with ${code}.`))
        child.once('exit', onExit)
        child.once('message', (load: DnsLoad) => {
          child.off('exit', onExit)
          resolve(load)
        })
        child.send(job)
      }),
    stop: () => void child.kill(),
  }
}
