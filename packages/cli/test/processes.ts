// Processes of a test as the system lists them.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export function isRunning(pid: number): boolean {
  try {
    // A process whose parent has not asked for its end yet is a zombie: it runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The first child of the process; 0 where it has none. */
export const childOf = (pid: number): number =>
  Number(
    spawnSync('ps', ['--no-headers', '-o', 'pid', '--ppid', String(pid)], { encoding: 'utf8' }).stdout.split(
      '\n',
    )[0],
  )

/** The last one of the line of first children. */
export const leafOf = (pid: number): number => {
  const child = childOf(pid)
  return child === 0 ? pid : leafOf(child)
}
