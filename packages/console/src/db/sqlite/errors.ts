// SQLite's result codes (sqlite.org/rescode.html) as kinds of failures.
import type { FailureKind } from '../engine.ts'

const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26
/** The log, or its index, could not grow. */
const IOERR_WRITE = IOERR | (3 << 8)
const IOERR_SHMSIZE = IOERR | (19 << 8)

const DAMAGED = new Set([CORRUPT, NOTADB])
const AWAY = new Set([BUSY, LOCKED, READONLY, IOERR, CANTOPEN])

const codeOf = (error: unknown): number => (error as { errcode?: number }).errcode ?? 0

export const isBusy = (error: unknown): boolean => (codeOf(error) & 0xff) === BUSY

export function diagnose(error: unknown): FailureKind {
  const code = codeOf(error)
  if ((code & 0xff) === FULL || code === IOERR_WRITE || code === IOERR_SHMSIZE) return 'full'
  if (DAMAGED.has(code & 0xff)) return 'damaged'
  return AWAY.has(code & 0xff) ? 'away' : 'other'
}
