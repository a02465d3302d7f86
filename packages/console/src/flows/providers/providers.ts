// The work that providers need while a console runs: polls, revocations, and the watch over silent feeds. One console does it.
import { openLease, type Lease } from '../../db/lease.ts'
import type { AppContext } from '../../app-context.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { NewIncident } from '../raise/plan.ts'
import type { RaiseDeps } from '../raise/raise.ts'
import { openExpiryWatch } from './expiry.ts'
import { openPoll } from './poll.ts'
import { openReconciler } from './reconcile.ts'
import type { ProviderRegistry } from './registry.ts'
import { openSilenceWatch } from './silence.ts'

export interface ProviderWork {
  /** Resources are to be revoked. */
  wake(): void
  /** Resolves once nothing is being done. */
  idle(): Promise<void>
  /** Gives the work to another console, within some 1 s, also while a provider does not answer. */
  stop(): Promise<void>
}

export interface ProviderWorkDeps extends Pick<
  AppContext,
  'engine' | 'reader' | 'writer' | 'vault' | 'world' | 'log' | 'background'
> {
  readonly registry: ProviderRegistry
  readonly ingest: Pick<Ingest, 'fromProvider'>
  readonly raising: RaiseDeps
  readonly onRaised: (created: readonly NewIncident[]) => void
}

/** How long a stop waits for the calls that are being made. */
const GRACE_MS = 1_000

export function openProviderWork(deps: ProviderWorkDeps): ProviderWork {
  let since: number | undefined
  const held = { ...deps, isHeld: () => since !== undefined, heldSince: () => since }
  const reconciler = openReconciler(held)
  const silence = openSilenceWatch(held)
  const expiries = openExpiryWatch(held)
  const polls = deps.registry.statuses
    .filter(({ isConfigured, descriptor }) => isConfigured && descriptor.pollMs !== undefined)
    .map(({ descriptor }) => openPoll(held, descriptor))
  const loops = [reconciler, silence, expiries, ...polls]
  const lease: Lease = openLease(
    deps,
    'providers',
    () => {
      since = deps.world.clock.now()
      for (const loop of loops) loop.wake()
    },
    () => (since = undefined),
  )
  return {
    wake: reconciler.wake,
    async idle() {
      await lease.asked()
      await Promise.all(loops.map((loop) => loop.idle()))
    },
    async stop() {
      since = undefined
      // A call to a provider may take longer than a stop: the next console need not wait until the lease ends by itself.
      await Promise.race([
        Promise.all(loops.map((loop) => loop.stop())),
        new Promise<void>((resolve) => deps.world.clock.after(GRACE_MS, resolve)),
      ])
      await lease.stop()
    },
  }
}
