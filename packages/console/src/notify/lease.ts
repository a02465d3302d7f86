// One console does the work, the others stand by. SQLite has one console, which always holds it.
import { hex } from '@rookery/kernel/ids.ts'
import type { Base } from '../base.ts'
import { dropLease, takeLease } from '../stores/leases/store.ts'

export interface Lease {
  /** Resolves once it is known who has the work. */
  asked(): Promise<void>
  /** Gives it back and stops asking for it. */
  stop(): Promise<void>
}

const LEASE_MS = 10_000
const RENEW_MS = 3_000

/** Calls `onHeld` when this console gets the work and `onLost` when it must let go. */
export function openLease(
  { engine, writer, world: { clock, random }, log }: Pick<Base, 'engine' | 'writer' | 'world' | 'log'>,
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
  let held = false
  let stopped = false
  let cancel = (): void => undefined
  let asking: Promise<void> = Promise.resolve()

  async function ask(): Promise<void> {
    const now = clock.now()
    try {
      const got = await writer.write((tx) => takeLease(tx, name, holder, now, now + LEASE_MS))
      heldUntil = got ? now + LEASE_MS : 0
    } catch (error) {
      log.debug({ err: error, lease: name }, 'cannot renew a lease')
    }
    if (stopped) return
    const holds = heldUntil > clock.now()
    if (holds !== held) {
      held = holds
      log.info({ lease: name }, holds ? 'this console took the work over' : 'another console has the work')
      if (holds) onHeld()
      else onLost()
    }
    cancel = clock.after(RENEW_MS, () => void (asking = ask()))
  }
  asking = ask()

  return {
    asked: () => asking,
    async stop() {
      stopped = true
      cancel()
      await asking
      if (heldUntil > 0) await writer.write((tx) => dropLease(tx, name, holder)).catch(() => undefined)
    },
  }
}
