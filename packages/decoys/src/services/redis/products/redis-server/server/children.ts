// Child processes that write the data set, one at a time; the server looks `hz` times a second whether one has ended, and begins
// what was scheduled meanwhile.
import type { Call, Child, ChildKind, Children } from '../call.ts'
import { beginRewrite, endRewrite } from './append-only.ts'
import { lookMs } from './server-process.ts'

type At = Pick<Call, 'server' | 'context' | 'now'>

export const newChildren = (): Children => ({ running: undefined, scheduled: new Set(), dueAt: 0 })

const DATABASES = 16
/** A small data set is written so fast. */
const WRITING_MS = 5

/** `until`: when it has ended, and the server has seen it. */
export function beginChild(at: At, kind: ChildKind, until = seenAt(at, at.now + WRITING_MS)): void {
  const { counters, keyspace, children } = at.server
  const keys = Array.from({ length: DATABASES }, (_, db) => keyspace.size(db, at.now)).reduce((a, b) => a + b)
  const fileBytes = kind === 'rewrite' ? beginRewrite(at) : 0
  children.running = { kind, until, dirty: counters.dirty, keys, fileBytes, isKilled: false }
  counters.forks += 1
  if (kind === 'save') counters.saves += 1
  else counters.rewrites += 1
}

export function scheduleChild(at: At, kind: ChildKind): void {
  const { children } = at.server
  children.scheduled.add(kind)
  children.dueAt = seenAt(at, at.now + 1)
}

/** What has ended or begun since it was last asked. */
export function lookAtChildren({ server, context, now }: At): void {
  const { children } = server
  for (;;) {
    const { running, scheduled } = children
    if (running && running.until > now) return
    if (running) end(server, running)
    const next = scheduled.has('rewrite') ? 'rewrite' : 'save'
    const at = Math.max(running?.until ?? 0, children.dueAt)
    if (!scheduled.has(next) || at > now) return
    scheduled.delete(next)
    beginChild({ server, context, now: at }, next)
  }
}

function end(server: Call['server'], { kind, dirty, until, fileBytes, isKilled }: Child): void {
  const { children, counters } = server
  children.running = undefined
  if (kind === 'rewrite') endRewrite(server, fileBytes)
  if (kind === 'rewrite') counters.hasRewritten = true
  else counters.hasSavedInBackground = true
  if (kind === 'save' && !isKilled)
    Object.assign(counters, { savedAt: until, dirty: Math.max(0, counters.dirty - dirty) })
}

const seenAt = ({ server, context, now }: At, endedAt: number): number =>
  now + lookMs({ server, context, now }, endedAt)
