// The child process that writes the data set; the server looks `hz` times a second whether it has ended, and begins what was
// scheduled meanwhile.
import type { Call } from '../model/call.ts'
import type { Children } from '../model/server.ts'
import { lookMs } from './server-process.ts'

type At = Pick<Call, 'server' | 'context' | 'now'>

export const newChildren = (): Children => ({ running: undefined, scheduledAt: undefined })

const DATABASES = 16
/** A small data set is written so fast. */
const WRITING_MS = 5

/** `until`: when it has ended, and the server has seen it. */
export function beginSave(at: At, until = seenAt(at, at.now + WRITING_MS)): void {
  const { counters, keyspace, children } = at.server
  const keys = Array.from({ length: DATABASES }, (_, db) => keyspace.size(db, at.now)).reduce((a, b) => a + b)
  children.running = { until, dirty: counters.dirty, keys, isKilled: false }
  counters.forks += 1
  counters.saves += 1
}

export function scheduleSave(at: At): void {
  at.server.children.scheduledAt = seenAt(at, at.now + 1)
}

/** What has ended or begun since it was last asked. */
export function lookAtChildren({ server, context, now }: At): void {
  const { children } = server
  for (;;) {
    const { running, scheduledAt } = children
    if (running && running.until > now) return
    if (running) end(server)
    if (scheduledAt === undefined) return
    const at = Math.max(running?.until ?? 0, scheduledAt)
    if (at > now) return
    children.scheduledAt = undefined
    beginSave({ server, context, now: at })
  }
}

function end({ children, counters }: Call['server']): void {
  const { dirty, until, isKilled } = children.running!
  children.running = undefined
  counters.hasSavedInBackground = true
  if (!isKilled) Object.assign(counters, { savedAt: until, dirty: Math.max(0, counters.dirty - dirty) })
}

const seenAt = ({ server, context, now }: At, endedAt: number): number =>
  now + lookMs({ server, context, now }, endedAt)
