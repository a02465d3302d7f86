// Heartbeats of all Birds go to the database in one transaction a second, however many Birds there are.
import type { Logger } from 'pino'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Writer } from '../../db/writer.ts'
import { storeBeats, type Beat } from '../../stores/birds/link.store.ts'

export interface Beats {
  note(beat: Beat): void
  /** Writes what waits, now. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const EVERY_MS = 1_000

export function openBeats(writer: Writer, clock: Clock, log: Logger): Beats {
  let waiting = new Map<string, Beat>()
  let writing: Promise<void> | undefined
  let cancel: (() => void) | undefined

  function schedule(): void {
    cancel ??= clock.after(EVERY_MS, () => {
      cancel = undefined
      void flush()
    })
  }

  async function flush(): Promise<void> {
    await writing
    if (waiting.size === 0) return
    const beats = waiting
    waiting = new Map()
    writing = writer
      .write((tx) => storeBeats(tx, [...beats.values()]))
      .catch((error: unknown) => {
        log.warn({ err: error, birds: beats.size }, 'heartbeats could not be stored yet')
        // Newer ones of the same Birds win.
        waiting = new Map([...beats, ...waiting])
        schedule()
      })
    await writing
  }

  return {
    note(beat) {
      waiting.set(beat.node_id, beat)
      schedule()
    },
    flush,
    async stop() {
      cancel?.()
      // What cannot be stored now is lost: at most a second of signs of life.
      await flush()
      cancel?.()
    },
  }
}
