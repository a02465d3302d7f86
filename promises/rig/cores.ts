// Which core a process runs on (taskset(1)). Children inherit it.
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'

/** What is measured, and its load. */
export const MEASURED_CORE = 0
export const LOAD_CORE = Math.min(1, cpus().length - 1)

export const pin = (pid: number, core: number): void =>
  void execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' })

/** Its main thread runs only while nobody else wants its core (chrt(1)). */
export const makeYield = (pid: number): void =>
  void execFileSync('chrt', ['--idle', '--pid', '0', String(pid)], { stdio: 'ignore' })

/** Whatever `start` starts runs on the core. */
export async function onCore<T>(core: number, start: () => Promise<T>): Promise<T> {
  pin(process.pid, core)
  try {
    return await start()
  } finally {
    execFileSync('taskset', ['-a', '-p', '-c', `0-${cpus().length - 1}`, String(process.pid)], {
      stdio: 'ignore',
    })
  }
}
