// Heartbeats of all Birds are stored in one transaction a second, however many Birds there are.
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Background } from '../../background/background.ts'
import { task } from '../../background/task.ts'
import type { Writer } from '../../db/writer.ts'
import { storeHeartbeats, type Heartbeat } from '../../stores/birds/heartbeats.store.ts'

export interface Heartbeats {
  /** Stores it within a second; of several of one Bird, the newest. */
  add(heartbeat: Heartbeat): void
  /** Stores what waits; what cannot be stored now is lost. */
  stop(): Promise<void>
}

const INTERVAL_MS = 1_000
const TASK = task('heartbeats', INTERVAL_MS, 'Stores the heartbeats of Birds that came meanwhile')

export function openHeartbeats(
  writer: Writer,
  clock: Clock,
  log: Logger,
  background: Background,
): Heartbeats {
  const waiting = new Map<string, Heartbeat>()

  async function store(): Promise<number> {
    const heartbeats = [...waiting.values()]
    waiting.clear()
    try {
      if (heartbeats.length > 0) await writer.write((tx) => storeHeartbeats(tx, heartbeats))
    } catch (error) {
      // A newer heartbeat of the same Bird wins.
      for (const heartbeat of heartbeats)
        if (!waiting.has(heartbeat.node_id)) waiting.set(heartbeat.node_id, heartbeat)
      throw error
    }
    return clock.now() + INTERVAL_MS
  }

  const loop = background.loop(TASK, {
    clock,
    run: store,
    onError(error) {
      log.warn({ err: error, birds: waiting.size }, 'heartbeats could not be stored; retrying in 1 s')
      return INTERVAL_MS
    },
  })
  loop.wake()

  return {
    add: (heartbeat) => waiting.set(heartbeat.node_id, heartbeat),
    async stop() {
      await loop.stop()
      await store().catch((error: unknown) => {
        log.warn({ err: error, birds: waiting.size }, 'the last heartbeats could not be stored')
      })
    },
  }
}
