// Stores the batches of one session in their order, each when the Bird's allowance has room for it.
import type { Clock } from '@rookery/kernel/world.ts'
import type { BirdBatch } from '../../flows/ingest/ingest-item.ts'
import type { Ingest } from '../../flows/ingest/ingest.ts'
import type { EventAllowance } from './event-allowance.ts'

export interface PacedEvents {
  /** Resolves, after the commit, with the number up to which the spool is stored; undefined if the session ended before. */
  store(batch: BirdBatch): Promise<number | undefined>
  /** The session has ended: the Bird sends what waits in its next one. */
  end(): void
}

export interface PacedEventsDeps {
  readonly clock: Pick<Clock, 'after'>
  readonly ingest: Pick<Ingest, 'fromBird'>
  readonly eventAllowance: EventAllowance
}

export function pacedEvents({ clock, ingest, eventAllowance }: PacedEventsDeps): PacedEvents {
  let hasEnded = false
  let endWait = (): void => undefined

  return {
    async store(batch) {
      const waitMs = eventAllowance.take(batch.nodeId, batch.events.length)
      if (waitMs > 0 && !hasEnded) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(waitMs, resolve)
          endWait = () => {
            cancel()
            resolve()
          }
        })
      }
      return hasEnded ? undefined : ingest.fromBird(batch)
    },
    end() {
      hasEnded = true
      endWait()
    },
  }
}
