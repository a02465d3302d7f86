// Backups again and again (`rookery backup --every 1d --keep 14`): a failure is a line of the log, and the next try comes.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyBackup } from '@rookery/console/maintenance/backup.ts'
import { systemClock } from '@rookery/console/world/system.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Logger } from 'pino'
import { explain } from './explain.ts'

export const DEFAULT_KEPT = 14
const MAX_KEPT = 10_000
const UNIT_MS = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])
/** A timer of Node takes at most 2³¹ − 1 ms. */
const MAX_MS = 24 * 86_400_000

/** Milliseconds of `30m`, `6h` or `1d`. */
export function readInterval(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS.get(unit) ?? 0)
  if (ms > 0 && ms <= MAX_MS) return ms
  throw new Fault(
    'bad-input',
    `--every must be minutes, hours or days, such as 30m, 6h or 1d, at most 24d, not ${JSON.stringify(text)}.`,
  )
}

export function readKept(text: string): number {
  const kept = Number(text)
  if (/^\d+$/.test(text) && kept >= 1 && kept <= MAX_KEPT) return kept
  throw new Fault(
    'bad-input',
    `--keep must be a whole number from 1 to ${MAX_KEPT}, not ${JSON.stringify(text)}.`,
  )
}

export interface ScheduleOptions {
  /** Holds the backups, each in a folder that is named by its time. */
  readonly folder: string
  readonly everyMs: number
  readonly kept: number
  /** Makes one, in this folder. */
  readonly make: (path: string) => Promise<void>
  readonly log: Pick<Logger, 'info' | 'error'>
}

export function startSchedule({ folder, everyMs, kept, make, log }: ScheduleOptions): {
  stop(): Promise<void>
} {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = systemClock.now()
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const path = join(folder, nameAt(startedAt))
        await make(path)
        await verifyBackup(path)
        const removed = removeOld(folder, kept)
        log.info({ path, removed }, 'backed up, and verified')
      } catch (error) {
        log.error(`no backup, and nothing is deleted: ${explain(error)}`)
      }
      const restMs = Math.max(0, startedAt + everyMs - systemClock.now())
      await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ended = run()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}

/** Such as `2026-11-29T030000.000Z`: in the order of time, also by name. */
const nameAt = (at: number): string => new Date(at).toISOString().replaceAll(':', '')

const NAME = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z(\.unfinished)?$/

/** Deletes what is older than the newest ones, and what a process that was killed has left; answers the names. */
function removeOld(folder: string, kept: number): string[] {
  const names = readdirSync(folder).filter((name) => NAME.test(name))
  const whole = names.filter(
    (name) => existsSync(join(folder, name, 'backup.json')) && !name.endsWith('.unfinished'),
  )
  const stay = new Set(whole.sort().slice(-kept))
  const removed = names.filter((name) => !stay.has(name))
  for (const name of removed) rmSync(join(folder, name), { recursive: true, force: true })
  return removed
}
