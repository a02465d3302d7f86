// Work that one console does while the others stand by. SQLite has one console, which always holds every lease.
import { hex } from '@rookery/kernel/ids.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Background } from '../background/background.ts'
import { task } from '../background/task.ts'
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
  readonly background: Background
  readonly log: Logger
}

const LEASE_MS = 5_000
const RENEW_MS = 1_000
const TASK = task(
  'leases',
  RENEW_MS,
  'Asks for the work that one console does at a time; on PostgreSQL alone',
)

/** Calls `onHeld` when this console gets the lease and `onLost` when it must let go. */
export function openLease(
  { engine, writer, world: { clock, random }, log, background }: LeaseDeps,
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

  let cancelExpiry = (): void => undefined

  async function renew(): Promise<number> {
    heldUntil = await writer.write(async (tx) => {
      // Read within the transaction: the time that it waited for others is not part of the lease.
      const now = clock.now()
      return (await takeLease(tx, name, holder, now, now + LEASE_MS)) ? now + LEASE_MS : 0
    })
    report()
    return clock.now() + RENEW_MS
  }

  function report(): void {
    cancelExpiry()
    if (isStopped) return
    const leftMs = heldUntil - clock.now()
    // A renewal may hang: the lease ends by itself, as the other consoles see it.
    if (leftMs > 0) cancelExpiry = clock.after(leftMs, report)
    const holds = leftMs > 0
    if (holds === isHeld) return
    isHeld = holds
    log.info({ lease: name }, holds ? 'this console holds the lease' : 'this console does not hold the lease')
    if (holds) onHeld()
    else onLost()
  }

  const renewal = background.loop(TASK, {
    clock,
    run: renew,
    onError(error) {
      log.debug({ err: error, lease: name }, 'cannot renew a lease; retrying in 1 s')
      report()
      return RENEW_MS
    },
  })
  renewal.wake()

  return {
    asked: renewal.idle,
    async stop() {
      isStopped = true
      cancelExpiry()
      await renewal.stop()
      if (heldUntil > 0) await writer.write((tx) => dropLease(tx, name, holder)).catch(() => undefined)
    },
  }
}
