// `<data>/lock` admits one server to a data directory. The lock of a killed process is taken over.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'

/** Takes the lock, or throws a `conflict` that names the holder; the answer releases it. */
export function takeLock(path: string, pid: number = process.pid): () => void {
  for (let tries = 0; ; tries++) {
    try {
      const file = openSync(path, 'wx', 0o600)
      try {
        writeSync(file, `${pid} ${startedAt(pid) ?? ''}\n`)
      } finally {
        closeSync(file)
      }
      return () => rmSync(path, { force: true })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC')
        throw new Fault('unavailable', `The disk is full: ${path} cannot be written. Free some space.`)
      if (code !== 'EEXIST' || tries > 2) throw error
    }
    const [holder = '', since = ''] = readFileSync(path, 'utf8').trim().split(' ')
    if (isAlive(Number(holder)) && (since === '' || startedAt(Number(holder)) === since)) {
      throw new Fault(
        'conflict',
        `Another Rookery (process ${holder}) serves this data directory: ${path}. Stop it, or give this one another ROOKERY_DATA_DIR.`,
      )
    }
    rmSync(path, { force: true })
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The start time of a process in ticks (Linux), so that a reused pid is not taken for the holder. */
function startedAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
