// What the flood of B9 looks like, and how it is let loose.
import { fork } from 'node:child_process'
import { join } from 'node:path'

/** Logtype, service, logical port. */
export const FLOODED_SERVICES: readonly (readonly [string, string, number])[] = [
  ['4000', 'ssh', 22],
  ['4001', 'ssh', 22],
  ['4002', 'ssh', 22],
  ['2000', 'ftp', 21],
  ['3000', 'http', 80],
  ['3001', 'http', 80],
  ['3002', 'http', 80],
  ['21001', 'redis', 6379],
]
export const FLOOD_SOURCES = 5

export interface FloodJob {
  readonly port: number
  /** Of an enrolment code. */
  readonly enrol: string
  readonly spoolId: string
  readonly events: number
}

export interface Flooded {
  /** The last acknowledged number. */
  readonly upto: number
  /** When the first event was made, milliseconds since the epoch. */
  readonly startedAt: number
  /** From the first event made to the last acknowledged. */
  readonly seconds: number
}

export function flood(job: FloodJob): Promise<Flooded> {
  const child = fork(join(import.meta.dirname, 'flood.child.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The flood ended with ${code}.`)))
    child.once('message', (result: Flooded) => {
      child.removeAllListeners('exit')
      child.disconnect()
      resolve(result)
    })
    child.send(job)
  })
}
