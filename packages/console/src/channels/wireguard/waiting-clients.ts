// Initiations of clients whose token is not known while the database is away: the first of each client waits for it. A client gives
// up after 90 s (WireGuard, section 6.1), so its next message may never come. They wait in memory: no client is answered, so a
// kill breaks no promise.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Background } from '../../background/background.ts'
import { task } from '../../background/task.ts'
import { isOutage } from '../touch-spool.ts'

export interface WaitingClients<T> {
  /** Keeps what came first of the client with this key. */
  keep(clientKey: string, message: T): void
  stop(): Promise<void>
}

/** Clients whose first message waits while the database is away. */
const CLIENTS = limit('wireguard_clients_waiting', 1_000)
const RETRY_MS = 1_000
const TASK = task(
  'wireguard_clients',
  undefined,
  'Stores touches by WireGuard that an outage of the database kept waiting',
)

/** `store` rejects with `unavailable` while the database is away; what it rejects with else is for `onError`. */
export function waitingClients<T>(
  { clock, background }: { readonly clock: Clock; readonly background: Background },
  store: (message: T) => Promise<void>,
  onError: (error: unknown) => void,
): WaitingClients<T> {
  const waiting = boundedMap<string, T>(CLIENTS)
  const loop = background.loop(TASK, {
    clock,
    async run() {
      for (const [clientKey, message] of [...waiting.entries()]) {
        try {
          await store(message)
        } catch (error) {
          if (isOutage(error)) return clock.now() + RETRY_MS
          onError(error)
        }
        waiting.delete(clientKey)
      }
      return waiting.size > 0 ? clock.now() + RETRY_MS : undefined
    },
    onError: () => RETRY_MS,
  })
  return {
    keep(clientKey, message) {
      if (waiting.peek(clientKey) !== undefined) return
      waiting.set(clientKey, message)
      if (waiting.size === 1) clock.after(RETRY_MS, loop.wake)
    },
    stop: loop.stop,
  }
}
