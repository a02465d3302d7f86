// Work that one console does while the others stand by. SQLite has one console, which always holds every lease.
import { hex } from '@rookery/kernel/ids.ts'
import { workerLoop } from '@rookery/kernel/worker-loop.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Engine } from './engine.ts'
import { dropLease, takeLease } from './lease.store.ts'
import type { Writer } from './writer.ts'

export interface Lease {
  /** Resolves once it is known which console holds the lease. */
  asked(): Promise<void>
  /** Gives it back and stops asking for it. */
  stop(): Promise<void>
}

interface LeaseDeps {
  readonly engine: Engine
  readonly writer: Writer
  readonly world: Pick<World, 'clock' | 'random'>
  readonly log: Logger
}

const LEASE_MS = 10_000
const RENEW_MS = 3_000

/** Calls `onHeld` when this console gets the lease and `onLost` when it must let go. */
export function openLease(
  { engine, writer, world: { clock, random }, log }: LeaseDeps,
  name: string,
  onHeld: () => void,
  onLost: () => void,
): Lease {
  if (engine.name === 'sqlite') {
    onHeld()
    return { asked: () => Promise.resolve(), stop: () => Promise.resolve() }
  }
  const holder = hex(random, 32)
  let heldUntil = 0
  let isHeld = false
  let isStopped = false

  async function renew(): Promise<number> {
    const now = clock.now()
    const isTaken = await writer.write((tx) => takeLease(tx, name, holder, now, now + LEASE_MS))
    heldUntil = isTaken ? now + LEASE_MS : 0
    report()
    return clock.now() + RENEW_MS
  }

  function report(): void {
    const holds = heldUntil > clock.now()
    if (isStopped || holds === isHeld) return
    isHeld = holds
    log.info({ lease: name }, holds ? 'this console holds the lease' : 'another console holds the lease')
    if (holds) onHeld()
    else onLost()
  }

  const renewal = workerLoop({
    clock,
    run: renew,
    onError(error) {
      log.debug({ err: error, lease: name }, 'cannot renew a lease; retrying in 3 s')
      report()
      return RENEW_MS
    },
  })
  renewal.wake()

  return {
    asked: renewal.idle,
    async stop() {
      isStopped = true
      await renewal.stop()
      if (heldUntil > 0) await writer.write((tx) => dropLease(tx, name, holder)).catch(() => undefined)
    },
  }
}
