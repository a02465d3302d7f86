// The last touches that a list ignored, for the question why a touch raised nothing. Written once a second, and no more of
// them than people read: what is ignored may be a flood.
import { limit } from '@rookery/kernel/limit.ts'
import { task } from '../../../background/task.ts'
import type { AppContext } from '../../../app-context.ts'
import { addIgnored } from '../../../stores/ignore/ignored.store.ts'
import type { ListName } from '../../../stores/ignore/tables.ts'
import type { Arrival } from '../../raise/arrival.ts'
import { isOutage } from '../store-apart.ts'

export interface IgnoredTouch {
  readonly arrival: Arrival
  readonly list: ListName
  /** The entry of the list; takes a while. */
  readonly entry: () => string
}

export interface IgnoredTouches {
  add(touches: readonly IgnoredTouch[]): void
  /** Resolves once those that were added are stored. */
  idle(): Promise<void>
  /** Stores those that wait, if the database takes them now. */
  stop(): Promise<void>
}

/** Ignored touches that are kept; the oldest go first. */
const KEPT = limit('ignored_touches', 1_000)
/** Ignored touches that are recorded, the newest of the second; the rest is counted alone. */
const MAX_KEPT_PER_SECOND = limit('ignored_touches_per_second', 200)
const EVERY_MS = 1_000
const TASK = task('ignored_touches', undefined, 'Stores within a second which touches a list ignores')

export function openIgnoredTouches({
  writer,
  world: { clock },
  log,
  background,
}: Pick<AppContext, 'writer' | 'world' | 'log' | 'background'>): IgnoredTouches {
  let waiting: IgnoredTouch[] = []
  let nextAt = 0

  async function store(): Promise<void> {
    const taken = waiting
    waiting = []
    nextAt = clock.now() + EVERY_MS
    const rows = taken.map(({ arrival: { touch, subject, receivedAt }, list, entry }) => ({
      received_at: receivedAt,
      flock_id: subject.flockId,
      node_id: touch.nodeId,
      name: subject.name,
      logtype: touch.logtype,
      src_host: touch.srcHost,
      dst_port: touch.dstPort,
      list,
      entry: entry(),
    }))
    try {
      await writer.write((tx) => addIgnored(tx, rows, KEPT))
    } catch (error) {
      // One that the database refuses for good would keep out all others.
      if (isOutage(error)) waiting = [...taken, ...waiting].slice(-MAX_KEPT_PER_SECOND.max)
      throw error
    }
  }

  const onError = (error: unknown): number => {
    log.warn({ err: error }, 'could not store which touches were ignored')
    return EVERY_MS
  }

  const loop = background.loop(TASK, {
    clock,
    async run() {
      if (waiting.length === 0) return undefined
      if (clock.now() < nextAt) return nextAt
      await store()
      return nextAt
    },
    onError,
  })

  return {
    add(touches) {
      if (touches.length === 0) return
      waiting.push(...touches)
      if (waiting.length > MAX_KEPT_PER_SECOND.max) {
        MAX_KEPT_PER_SECOND.hit()
        waiting = waiting.slice(-MAX_KEPT_PER_SECOND.max)
      }
      loop.wake()
    },
    idle: loop.idle,
    async stop() {
      await loop.stop()
      if (waiting.length > 0) await store().catch(onError)
    },
  }
}
