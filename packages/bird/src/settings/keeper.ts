// Applies settings bundles in two phases, keeps the one in force over restarts, and goes back to the last good one
// when a new one cuts the Bird off from its console (behaviour 6).
import type { Host } from '@rookery/decoys/host/host.ts'
import type { ServiceDescriptor } from '@rookery/decoys/descriptor.ts'
import type { Service } from '@rookery/decoys/session.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Bundle, BundleStore, Kept } from './bundle.ts'
import { settingsProblem } from './check.ts'
import { listenersOf } from './listeners.ts'

/** How long a new bundle has to be seen to reach the console. */
export const TRIAL_MS = 120_000
const RETRY_MS = 10_000

export interface Reverted {
  readonly erroneous: Bundle
  readonly restored: Bundle
  readonly reason: string
}

export interface KeeperOptions {
  readonly host: Pick<Host, 'apply' | 'listening'>
  readonly services: Readonly<Record<string, Service>>
  readonly descriptors: readonly Pick<ServiceDescriptor, 'settings'>[]
  readonly store: BundleStore
  readonly clock: Clock
  readonly report: (message: string) => void
  /** Which ports are open, or which bundle is in force, is another than before. */
  readonly onChanged: () => void
  readonly onReverted: (reverted: Reverted) => void
  readonly trialMs?: number
}

export interface Keeper {
  /** Opens the decoys of the stored bundle, if there is one. A port in use does not stop it: it tries again until it is free. */
  start(): Promise<void>
  /** `undefined` when the bundle is in force; else why not, in words, with nothing changed. */
  apply(bundle: Bundle): Promise<string | undefined>
  /** The console was reached under the settings in force: they are good. */
  confirm(): void
  /** Applies the bundle in force again. */
  refresh(): Promise<string | undefined>
  current(): { readonly tag: string; readonly seq: number }
  /** One value of the settings in force. */
  setting(key: string): unknown
  serviceCount(): number
  /** Nothing is applied any more, once it resolves; the host is the caller's to close. */
  stop(): Promise<void>
}

export function settingsKeeper(options: KeeperOptions): Keeper {
  const {
    host,
    services,
    descriptors,
    store,
    clock,
    report,
    onChanged,
    onReverted,
    trialMs = TRIAL_MS,
  } = options
  let kept: Kept = { isOnTrial: false }
  let isStopped = false
  let cancelTrial = () => {}
  let cancelRetry = () => {}
  let turn: Promise<unknown> = Promise.resolve()

  /** One change at a time. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = turn.then(act)
    turn = done.catch(() => {})
    return done
  }

  async function open(bundle: Bundle): Promise<string | undefined> {
    try {
      await host.apply(listenersOf(services, bundle.settings))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  function keep(next: Kept): void {
    kept = next
    try {
      store.save(kept)
    } catch (error) {
      report(
        `The settings ${kept.current?.tag} are in force but cannot be stored: ${(error as Error).message}`,
      )
    }
    onChanged()
  }

  function beginTrial(): void {
    cancelTrial()
    cancelTrial = kept.isOnTrial ? clock.after(trialMs, () => void inTurn(revert)) : () => {}
  }

  async function revert(): Promise<void> {
    const { current, previous } = kept
    if (isStopped || !kept.isOnTrial || !current || !previous) return
    const problem = await open(previous)
    if (problem) report(`The last good settings ${previous.tag} could not be opened: ${problem}`)
    keep({ current: previous, isOnTrial: false })
    const reason = `the console could not be reached within ${trialMs / 1000} s`
    onReverted({ erroneous: current, restored: previous, reason })
    if (problem) retryLater()
  }

  function retryLater(): void {
    cancelRetry()
    cancelRetry = clock.after(RETRY_MS, () => void inTurn(openKept))
  }

  async function openKept(): Promise<void> {
    if (isStopped || !kept.current) return
    const problem = await open(kept.current)
    if (!problem) return
    report(
      `The decoys of ${kept.current.tag} cannot be opened, trying again in ${RETRY_MS / 1000} s: ${problem}`,
    )
    retryLater()
  }

  return {
    start: () =>
      inTurn(async () => {
        kept = store.load()
        await openKept()
        beginTrial()
      }),
    apply: (bundle) =>
      inTurn(async () => {
        if (isStopped) return 'the Bird is stopping'
        const problem = settingsProblem(descriptors, bundle.settings) ?? (await open(bundle))
        if (problem !== undefined) return problem
        cancelRetry()
        const good = kept.isOnTrial ? kept.previous : kept.current
        const isOnTrial = bundle.settings['rollback.enabled'] === true && good !== undefined
        keep({ current: bundle, isOnTrial, ...(isOnTrial && { previous: good }) })
        beginTrial()
        return undefined
      }),
    confirm() {
      if (!kept.isOnTrial) return
      cancelTrial()
      keep({ ...(kept.current && { current: kept.current }), isOnTrial: false })
    },
    refresh: () => inTurn(async () => (kept.current ? open(kept.current) : 'there are no settings yet')),
    current: () => ({ tag: kept.current?.tag ?? '', seq: kept.current?.seq ?? 0 }),
    setting: (key) => kept.current?.settings[key],
    serviceCount: () => new Set(host.listening().map(({ instance }) => instance)).size,
    async stop() {
      isStopped = true
      cancelTrial()
      cancelRetry()
      await inTurn(async () => {})
    },
  }
}
