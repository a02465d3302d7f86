// The main thread as the kernel sees it: /proc/self/task/<id>/stat (proc_pid_stat(5)).
import { readFileSync } from 'node:fs'

/** Of the clock of processor time, in every Linux: `getconf CLK_TCK`. */
const TICKS_PER_SECOND = 100

export interface ThreadStat {
  readonly isRunning: boolean
  readonly cpuMs: number
}

/** Of the main thread, whose id is that of its process; undefined on systems without such files. */
export function readMainThread(): ThreadStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

/** The name, in brackets, may hold blanks and brackets: the fields are counted from behind it, `state` is the first. */
export function parseStat(text: string): ThreadStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [utime, stime] = [Number(fields[11]), Number(fields[12])]
  return { isRunning: fields[0] === 'R', cpuMs: ((utime + stime) * 1000) / TICKS_PER_SECOND }
}
