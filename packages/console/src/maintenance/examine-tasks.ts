// Background work that does not get done: a task whose run has been due, or has lasted, for long.
import type { TaskStatus } from '../background/background.ts'
import type { Finding } from './finding.ts'

/** What retries after a short outage of the database has succeeded by then. */
const LATE_MS = 900_000

export function examineTasks(statuses: readonly TaskStatus[], now: number): Finding[] {
  const late = statuses.filter(({ overdueMs }) => overdueMs > LATE_MS)
  if (late.length === 0)
    return [{ ok: true, about: 'background', text: `${statuses.length} background tasks are on time` }]
  return late.map(({ task, overdueMs, lastSuccessAt, lastError }) => {
    const succeeded =
      lastSuccessAt === undefined ? 'has not succeeded yet' : `last succeeded ${ago(now, lastSuccessAt)}`
    const reason = lastError === '' ? 'it does not end' : lastError
    const text = `the background task ${task.name} (${task.does}) is ${minutes(overdueMs)} late and ${succeeded}: ${reason}; see the log, and start the console anew if that does not help`
    return { ok: false, about: 'background', text }
  })
}

const minutes = (ms: number): string => `${Math.floor(ms / 60_000)} min`
const ago = (now: number, at: number): string => `${minutes(now - at)} ago`
