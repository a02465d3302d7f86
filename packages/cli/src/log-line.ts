// One line of the log, as log.ts writes it, for threads and processes without a logger: it is written when the call returns.
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { systemClock } from '@rookery/bird/world.ts'

const STDERR = 2
const LEVELS = { warning: 40, error: 50 } as const

export function writeLogLine(level: keyof typeof LEVELS, msg: string): void {
  const time = systemClock.now()
  const line = isatty(STDERR)
    ? `${new Date(time).toISOString().slice(11, 19)} ${level}: ${msg}`
    : JSON.stringify({ level: LEVELS[level], time, msg })
  try {
    writeSync(STDERR, `${line}\n`)
  } catch {
    // Nobody reads the log, or not fast enough.
  }
}
