// Events that the disk has refused: they wait in memory, in order, until it takes them.
import type { Limit } from '@rookery/kernel/limit.ts'
import { workerLoop } from '@rookery/kernel/worker-loop.ts'
import type { Clock } from '@rookery/kernel/world.ts'

const RETRY_MS = 1_000

export interface UnwrittenEventsOptions {
  readonly clock: Clock
  /** Throws when the disk refuses again. */
  readonly write: (json: string) => void
  readonly capacity: Limit
  /** All are written; so many were lost. */
  readonly onWritten: (lost: number) => void
}

export function unwrittenEvents({ clock, write, capacity, onWritten }: UnwrittenEventsOptions) {
  const events: string[] = []
  let lost = 0

  function writeAll(): void {
    for (let json = events[0]; json !== undefined; json = events[0]) {
      write(json)
      events.shift()
    }
    onWritten(lost)
    lost = 0
  }
  const loop = workerLoop({
    clock,
    async run() {
      writeAll()
      return undefined
    },
    onError: () => RETRY_MS,
  })

  return {
    size: () => events.length,
    /** Beyond the limit the event is lost, and counted. */
    add(json: string) {
      if (events.length < capacity.max) events.push(json)
      else {
        lost++
        capacity.hit()
      }
      // Later ones wait for the retry of the first.
      if (events.length === 1) loop.wake()
    },
    stop: () => void loop.stop(),
  }
}
