// What the kernel knows of a process (proc(5)).
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const field = (pid: number, name: string): number => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? Number.NaN) / 1024
}

/** Resident memory now, MB. */
export const residentMb = (pid: number): number => field(pid, 'VmRSS')

/** Those that it has started, and that have not ended. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** The same of a process and those that it started: `rookery up` and its local Bird. One that has just ended holds nothing. */
export const familyMb = (pid: number): number =>
  childrenOf(pid).reduce((sum, child) => sum + (residentMb(child) || 0), residentMb(pid))

/** The one of its children whose command names this program; undefined while there is none. */
export const childNamed = (pid: number, program: string): number | undefined =>
  childrenOf(pid).find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(program))

/** The largest resident memory since the start, or since `forgetPeak`, MB. */
export const peakMb = (pid: number): number => field(pid, 'VmHWM')

export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Bytes that the process has sent towards the disk so far. */
export const writtenBytes = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? Number.NaN)

/** The same once nothing has been written for a second: what the work before has left is on the disk. */
export async function settledBytes(pid: number): Promise<number> {
  for (let before = writtenBytes(pid); ;) {
    await setTimeout(1_000)
    const now = writtenBytes(pid)
    if (now === before) return now
    before = now
  }
}

/** Milliseconds of a processor that the process and its ended children have used; the clock ticks a hundred times a second (proc(5)). */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Behind the name, which may hold anything: the third field. utime to cstime are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + 10 * Number(ticks), 0)
}
