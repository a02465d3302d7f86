// Commands whose work grows with a value share a budget: one connection must not hold up what others ask.
import { ErrorReply } from './arguments.ts'
import type { Call } from './model/call.ts'
import { OUT_OF_MEMORY } from './server/memory-limit.ts'

/** Of the line's own work. */
const BYTES_A_UNIT = 4
const BYTES_A_MS = 16 * 1024
/** Work that may wait. A transaction spends it at once. */
const MAX_WAIT_MS = 2_000

/** The reply waits for the work that came before; throws when too much waits. */
export function spend(call: Call, bytes: number): void {
  call.work.spend(bytes / BYTES_A_UNIT)
  if (doneInMs(call, bytes) > MAX_WAIT_MS) throw new ErrorReply(OUT_OF_MEMORY)
  const waitMs = Math.floor(reserve(call, bytes))
  if (waitMs > 0) call.client.waitMs = waitMs
}

/** Answers in how many milliseconds the work is done. */
export function reserve(call: Pick<Call, 'server' | 'now'>, bytes: number): number {
  const ms = doneInMs(call, bytes)
  call.server.busyUntil = call.server.steady(call.now) + ms
  return ms
}

const doneInMs = ({ server, now }: Pick<Call, 'server' | 'now'>, bytes: number): number =>
  Math.max(0, server.busyUntil - server.steady(now)) + bytes / BYTES_A_MS
