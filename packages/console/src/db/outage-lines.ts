// While the database is away, every loop and every request fails again and again: the log has one line a minute and kind.
import type { LoggerOptions } from 'pino'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { diagnose as diagnosePostgres } from './postgres/errors.ts'
import { diagnose as diagnoseSqlite } from './sqlite/errors.ts'

const EVERY_MS = 60_000
/** Kinds of log lines about an outage, each of which is written once a minute. */
const KINDS = limit('kinds_of_outage_in_the_log', 100)

interface Kind {
  readonly writtenAtMs: number
  leftOut: number
}

/** A hook of pino: lines about an outage, their `err` says which, are written once a minute; the next says how many were left out. */
export function limitOutageLines(nowMs = () => performance.now()): NonNullable<LoggerOptions['hooks']> {
  const kinds = boundedMap<string, Kind>(KINDS)
  return {
    logMethod(args, method) {
      const [fields, message, ...rest] = args as [unknown, ...unknown[]]
      const outage = outageOf(fields)
      if (outage === undefined) return void method.apply(this, args)
      const key = `${String(message)}: ${outage}`
      const kind = kinds.get(key)
      if (kind && nowMs() - kind.writtenAtMs < EVERY_MS) return void kind.leftOut++
      kinds.set(key, { writtenAtMs: nowMs(), leftOut: 0 })
      const line = kind?.leftOut ? { ...(fields as object), leftOut: kind.leftOut } : fields
      method.apply(this, [line, message, ...rest] as typeof args)
    },
  }
}

/** What is unavailable, without numbers that change from line to line; undefined for a line about anything else. */
function outageOf(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return undefined
  const { err } = fields
  if (err instanceof Fault) return err.code === 'unavailable' ? err.message.replace(/\d+/g, '#') : undefined
  return diagnosePostgres(err) === 'away' || diagnoseSqlite(err) === 'away' ? 'away' : undefined
}
