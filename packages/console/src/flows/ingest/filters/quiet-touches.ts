// The last touches of each token that raised nothing: its kind or its quiet sources kept them quiet. Written once a second, and no more of them than people read:
// what raises nothing may be a flood.
import { limit } from '@rookery/kernel/limit.ts'
import type { EventFields } from '@rookery/kernel/touch.ts'
import { task } from '../../../background/task.ts'
import type { AppContext } from '../../../app-context.ts'
import { addQuietTouches } from '../../../stores/tokens/quiet.store.ts'
import { visitDedup } from './visit-dedup.ts'

export interface QuietTouch {
  readonly tokenNumber: number
  /** As `visitorOf` answers it. */
  readonly visitor: string
  readonly receivedAt: number
  /** Why it raises nothing: a clause for people. */
  readonly reason: string
  readonly fields: EventFields
}

export interface QuietTouches {
  /**
   * Requests of one visit are one touch. A visit that fires, by one of the `fired` visitors, is no quiet one: resolvers ask
   * for the shorter names first.
   */
  add(touches: readonly QuietTouch[], fired: readonly string[]): void
  /** Resolves once those that were added are stored. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Quiet touches that are kept of a token; the oldest go first. */
const MAX_KEPT_OF_A_TOKEN = limit('quiet_touches_of_a_token', 100)
/** Quiet touches that are recorded; the rest is left out. */
const MAX_KEPT_PER_SECOND = limit('quiet_touches_per_second', 200)
const EVERY_MS = 1_000
const TASK = task('quiet_touches', undefined, 'Stores the quiet touches of tokens within a second')

export function openQuietTouches({
  writer,
  world: { clock },
  log,
  background,
}: Pick<AppContext, 'writer' | 'world' | 'log' | 'background'>): QuietTouches {
  const visits = visitDedup()
  /** By visitor. */
  const waiting = new Map<string, QuietTouch>()

  const loop = background.loop(TASK, {
    clock,
    async run() {
      const now = clock.now()
      const [oldest] = waiting.values()
      if (!oldest) return undefined
      const dueAt = Math.min(oldest.receivedAt, now) + EVERY_MS
      if (now < dueAt) return dueAt
      const rows = Array.from(waiting.values(), ({ tokenNumber, receivedAt, reason, fields }) => ({
        token_number: tokenNumber,
        at: receivedAt,
        reason,
        body: JSON.stringify(fields),
      }))
      waiting.clear()
      await writer.write((tx) => addQuietTouches(tx, rows, MAX_KEPT_OF_A_TOKEN))
      return undefined
    },
    onError(error) {
      log.warn({ err: error }, 'could not store quiet touches of tokens')
      return EVERY_MS
    },
  })

  function note(touch: QuietTouch): void {
    const batch = visits.batch()
    if (batch.isRepeated(touch.visitor, touch.receivedAt)) return
    if (waiting.size >= MAX_KEPT_PER_SECOND.max) return MAX_KEPT_PER_SECOND.hit()
    batch.mark(touch.visitor, touch.receivedAt, '')
    batch.commit()
    waiting.set(touch.visitor, touch)
  }

  return {
    add(touches, fired) {
      for (const visitor of fired) waiting.delete(visitor)
      if (touches.length === 0) return
      touches.forEach(note)
      loop.wake()
    },
    idle: loop.idle,
    stop: loop.stop,
  }
}
