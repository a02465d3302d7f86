// Which settings are in force, as a state machine (chart: README.md). A new bundle is applied in two phases and then tried.
// It is rolled back when the console cannot be reached under it (behaviour of the API, section 6).
import type { ListenFailure } from '@rookery/decoys/host/host.ts'
import type { Step, Woken } from '../state-machine.ts'
import type { Bundle } from './bundle.ts'
import {
  afterAttempt,
  failuresText,
  isReportDue,
  reportOf,
  RETRY_MS,
  wakeOf,
  type DecoyOutage,
} from './decoy-outage.ts'
import type { StoredSettings } from './settings-file.ts'

/** The settings in force when no ports are being opened. */
export type SettledState = { readonly name: 'none' } | Current

type Current = InForce | OnTrial

interface InForce extends WithDecoys {
  readonly name: 'in-force'
  readonly trial?: undefined
}
interface OnTrial extends WithDecoys {
  readonly name: 'on-trial'
  readonly trial: Trial
}
interface WithDecoys {
  readonly current: Bundle
  /** Undefined when every decoy listens. */
  readonly outage?: DecoyOutage | undefined
}

export type ActiveSettingsState =
  | SettledState
  /** The ports of a new bundle are being opened; `before` stays in force until they are. */
  | { readonly name: 'applying'; readonly bundle: Bundle; readonly before: SettledState }
  /** Ports of the settings in force are being opened: at the start, again after a failure, or on command. */
  | { readonly name: 'reopening'; readonly before: Current }
  | { readonly name: 'rolling-back'; readonly before: Current; readonly restored: Bundle }

/** `current` has not yet been seen to reach the console. */
interface Trial {
  readonly previous: Bundle
  readonly revertAt: number
}

export interface Rollback {
  readonly failed: Bundle
  readonly restored: Bundle
  readonly reason: string
}

/** `start`, `apply` and `refresh` must wait until no ports are being opened. */
export type ActiveSettingsInput =
  | Woken
  | { readonly name: 'start'; readonly stored: StoredSettings }
  | { readonly name: 'apply'; readonly bundle: Bundle }
  /** Open the ports of the settings in force again. */
  | { readonly name: 'refresh' }
  /** The console was reached under the settings in force. */
  | { readonly name: 'confirm' }
  /** `open-ports` or `retry-ports` has ended; these decoys do not listen. */
  | { readonly name: 'opened'; readonly failures: readonly ListenFailure[] }

export type ActiveSettingsOutput =
  | { readonly name: 'open-ports'; readonly bundle: Bundle }
  /** Open the ports that could not be opened; those that are open stay as they are. */
  | { readonly name: 'retry-ports' }
  /**
   * `save`: write `toStored` of the state. `changed`: other ports are open, or another bundle is in force.
   * `decoys-changed`: other decoys listen than before, under settings that the console knows.
   */
  | { readonly name: 'save' | 'changed' | 'decoys-changed' }
  | { readonly name: 'report'; readonly level: 'info' | 'warning'; readonly message: string }
  /** Raise the event. */
  | { readonly name: 'decoys-not-standing'; readonly failures: readonly ListenFailure[] }
  | { readonly name: 'rolled-back'; readonly rollback: Rollback }

export interface ActiveSettingsContext {
  readonly nowMs: number
  /** How long a new bundle may need to reach the console. */
  readonly trialMs: number
}

type SettingsStep = Step<ActiveSettingsState, ActiveSettingsOutput>

export const initial: ActiveSettingsState = { name: 'none' }

const settled = (state: ActiveSettingsState): SettledState => ('before' in state ? state.before : state)

/** The bundle in force. */
export function currentOf(state: ActiveSettingsState): Bundle | undefined {
  const before = settled(state)
  return before.name === 'none' ? undefined : before.current
}

export function toStored(state: ActiveSettingsState): StoredSettings {
  const before = settled(state)
  return before.name === 'none' ? {} : { current: before.current, previous: before.trial?.previous }
}

/** The decoys of the settings in force that do not listen. */
export function failuresOf(state: ActiveSettingsState): readonly ListenFailure[] {
  const before = settled(state)
  return before.name === 'none' ? [] : (before.outage?.failures ?? [])
}

export function wakeAt(state: ActiveSettingsState): number | undefined {
  if (state.name !== 'in-force' && state.name !== 'on-trial') return undefined
  const { trial, outage } = state
  const at = Math.min(trial?.revertAt ?? Infinity, outage ? wakeOf(outage) : Infinity)
  return at === Infinity ? undefined : at
}

export function step(
  state: ActiveSettingsState,
  input: ActiveSettingsInput,
  context: ActiveSettingsContext,
): SettingsStep {
  switch (input.name) {
    case 'woken':
      return onTime(state, context)
    case 'start':
      return start(input.stored, context)
    case 'apply':
      return {
        state: { name: 'applying', bundle: input.bundle, before: settled(state) },
        outputs: [{ name: 'open-ports', bundle: input.bundle }],
      }
    case 'refresh': {
      const before = settled(state)
      return before.name === 'none' ? { state, outputs: [] } : retry(before)
    }
    case 'confirm':
      return confirm(state)
    case 'opened':
      return onOpened(state, input.failures, context)
  }
}

function onTime(state: ActiveSettingsState, { nowMs }: ActiveSettingsContext): SettingsStep {
  if (state.name !== 'in-force' && state.name !== 'on-trial') return { state, outputs: [] }
  const { trial, outage } = state
  if (trial && nowMs >= trial.revertAt) {
    const restored = trial.previous
    return {
      state: { name: 'rolling-back', before: state, restored },
      outputs: [{ name: 'open-ports', bundle: restored }],
    }
  }
  if (!outage) return { state, outputs: [] }
  const due = isReportDue(outage, nowMs) ? reportOf(outage, nowMs) : undefined
  const following = due ? { ...state, outage: due.outage } : state
  const { state: next, outputs } =
    nowMs >= outage.retryAt ? retry(following) : { state: following, outputs: [] }
  return {
    state: next,
    outputs: due ? [{ name: 'decoys-not-standing', failures: due.failures }, ...outputs] : outputs,
  }
}

/** A trial that a restart has interrupted begins again. */
function start(
  { current, previous }: StoredSettings,
  { nowMs, trialMs }: ActiveSettingsContext,
): SettingsStep {
  if (!current) return { state: initial, outputs: [] }
  const trial = previous && { previous, revertAt: nowMs + trialMs }
  return {
    state: { name: 'reopening', before: withTrial({ current }, trial) },
    outputs: [{ name: 'open-ports', bundle: current }],
  }
}

const retry = (before: Current): SettingsStep => ({
  state: { name: 'reopening', before },
  outputs: [{ name: 'retry-ports' }],
})

const withTrial = (decoys: WithDecoys, trial: Trial | undefined): Current =>
  trial ? { ...decoys, name: 'on-trial', trial } : { ...decoys, name: 'in-force', trial: undefined }

/** Ends the trial, also while ports are being opened. A roll-back that has begun is completed. */
function confirm(state: ActiveSettingsState): SettingsStep {
  const before = settled(state)
  if (before.name === 'none' || !before.trial || state.name === 'rolling-back') return { state, outputs: [] }
  const confirmed = withTrial(before, undefined)
  return {
    state:
      state.name === 'applying' || state.name === 'reopening' ? { ...state, before: confirmed } : confirmed,
    outputs: [{ name: 'save' }, { name: 'changed' }],
  }
}

function onOpened(
  state: ActiveSettingsState,
  failures: readonly ListenFailure[],
  { nowMs, trialMs }: ActiveSettingsContext,
): SettingsStep {
  if (!('before' in state)) return { state, outputs: [] }
  const old = state.before.name === 'none' ? undefined : state.before.outage
  const outage = afterAttempt(failures, old, nowMs)
  const reports = reportChange(old, outage)
  switch (state.name) {
    case 'applying': {
      const { bundle, before } = state
      const good = before.name === 'none' ? undefined : (before.trial?.previous ?? before.current)
      const isOnTrial = bundle.settings['rollback.enabled'] === true && good !== undefined
      const trial = isOnTrial ? { previous: good, revertAt: nowMs + trialMs } : undefined
      return {
        state: withTrial({ current: bundle, outage }, trial),
        outputs: [{ name: 'save' }, { name: 'changed' }, ...reports],
      }
    }
    case 'reopening': {
      const { current, trial } = state.before
      const isChanged = failuresText(old?.failures ?? []) !== failuresText(failures)
      return {
        state: withTrial({ current, outage }, trial),
        outputs: [
          { name: 'changed' },
          ...reports,
          ...(isChanged ? [{ name: 'decoys-changed' } as const] : []),
        ],
      }
    }
    case 'rolling-back':
      return rolledBack(state.before.current, { current: state.restored, outage }, reports, trialMs)
  }
}

/** A line for the log when other decoys fail than before, or none any more. */
function reportChange(
  before: DecoyOutage | undefined,
  after: DecoyOutage | undefined,
): readonly ActiveSettingsOutput[] {
  const [old, now] = [failuresText(before?.failures ?? []), failuresText(after?.failures ?? [])]
  if (old === now) return []
  if (now === '') return [{ name: 'report', level: 'info', message: 'Every decoy listens again.' }]
  const message = `Decoys do not listen (${now}). Retrying every ${RETRY_MS / 1000} s.`
  return [{ name: 'report', level: 'warning', message }]
}

const rolledBack = (
  failed: Bundle,
  decoys: WithDecoys,
  reports: readonly ActiveSettingsOutput[],
  trialMs: number,
): SettingsStep => ({
  state: withTrial(decoys, undefined),
  outputs: [
    { name: 'save' },
    { name: 'changed' },
    ...reports,
    {
      name: 'rolled-back',
      rollback: {
        failed,
        restored: decoys.current,
        reason: `the console could not be reached within ${trialMs / 1000} s`,
      },
    },
  ],
})
