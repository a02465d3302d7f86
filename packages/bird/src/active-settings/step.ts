// Which settings are in force, as a state machine (chart: README.md). A new bundle is applied in two phases and then tried.
// It is rolled back when the console cannot be reached under it (behaviour of the API, section 6).
import type { Step, Woken } from '../state-machine.ts'
import type { Bundle } from './bundle.ts'
import type { StoredSettings } from './settings-file.ts'

/** After a failure to open the ports of the settings in force. */
export const RETRY_MS = 10_000

/** The settings in force when no ports are being opened. */
export type SettledState =
  | { readonly name: 'none' }
  | { readonly name: 'in-force'; readonly current: Bundle; readonly trial?: undefined }
  | { readonly name: 'on-trial'; readonly current: Bundle; readonly trial: Trial }
  /** The ports of `current` cannot be opened. */
  | {
      readonly name: 'failed-retrying'
      readonly current: Bundle
      readonly trial?: Trial | undefined
      readonly retryAt: number
    }

export type ActiveSettingsState =
  | SettledState
  /** The ports of a new bundle are being opened; `before` stays in force until they are. */
  | { readonly name: 'applying'; readonly bundle: Bundle; readonly before: SettledState }
  /** The ports of the settings in force are being opened: at the start, after a failure, or on command. */
  | { readonly name: 'reopening'; readonly before: Current; readonly isOnCommand: boolean }
  | { readonly name: 'rolling-back'; readonly before: Current; readonly restored: Bundle }

type Current = Exclude<SettledState, { name: 'none' }>

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
  /** The results of `open-ports`. */
  | { readonly name: 'opened' }
  | { readonly name: 'failed'; readonly problem: string }

export type ActiveSettingsOutput =
  | { readonly name: 'open-ports'; readonly bundle: Bundle }
  /** `save`: write `toStored` of the state. `changed`: other ports are open, or another bundle is in force. */
  | { readonly name: 'save' | 'changed' }
  | { readonly name: 'report'; readonly message: string }
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

export function wakeAt(state: ActiveSettingsState): number | undefined {
  switch (state.name) {
    case 'on-trial':
      return state.trial.revertAt
    case 'failed-retrying':
      return Math.min(state.retryAt, state.trial?.revertAt ?? Infinity)
    default:
      return undefined
  }
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
      return before.name === 'none' ? { state, outputs: [] } : reopen(before, true)
    }
    case 'confirm':
      return confirm(state)
    case 'opened':
      return onOpened(state, context)
    case 'failed':
      return onFailed(state, input.problem, context)
  }
}

function onTime(state: ActiveSettingsState, { nowMs }: ActiveSettingsContext): SettingsStep {
  if (state.name !== 'on-trial' && state.name !== 'failed-retrying') return { state, outputs: [] }
  if (state.trial && nowMs >= state.trial.revertAt) {
    const restored = state.trial.previous
    return {
      state: { name: 'rolling-back', before: state, restored },
      outputs: [{ name: 'open-ports', bundle: restored }],
    }
  }
  if (state.name === 'failed-retrying' && nowMs >= state.retryAt) return reopen(state, false)
  return { state, outputs: [] }
}

/** A trial that a restart has interrupted begins again. */
function start(
  { current, previous }: StoredSettings,
  { nowMs, trialMs }: ActiveSettingsContext,
): SettingsStep {
  if (!current) return { state: initial, outputs: [] }
  const trial = previous && { previous, revertAt: nowMs + trialMs }
  return reopen(withTrial(current, trial), false)
}

const reopen = (before: Current, isOnCommand: boolean): SettingsStep => ({
  state: { name: 'reopening', before, isOnCommand },
  outputs: [{ name: 'open-ports', bundle: before.current }],
})

const withTrial = (current: Bundle, trial: Trial | undefined): Current =>
  trial ? { name: 'on-trial', current, trial } : { name: 'in-force', current }

/** Ends the trial, also while ports are being opened. A roll-back that has begun is completed. */
function confirm(state: ActiveSettingsState): SettingsStep {
  const before = settled(state)
  if (before.name === 'none' || !before.trial || state.name === 'rolling-back') return { state, outputs: [] }
  const { current } = before
  const confirmed: Current =
    before.name === 'failed-retrying'
      ? { name: 'failed-retrying', current, retryAt: before.retryAt }
      : { name: 'in-force', current }
  return {
    state:
      state.name === 'applying' || state.name === 'reopening' ? { ...state, before: confirmed } : confirmed,
    outputs: [{ name: 'save' }, { name: 'changed' }],
  }
}

function onOpened(state: ActiveSettingsState, { nowMs, trialMs }: ActiveSettingsContext): SettingsStep {
  switch (state.name) {
    case 'applying': {
      const { bundle, before } = state
      const good = before.name === 'none' ? undefined : (before.trial?.previous ?? before.current)
      const isOnTrial = bundle.settings['rollback.enabled'] === true && good !== undefined
      const trial = isOnTrial ? { previous: good, revertAt: nowMs + trialMs } : undefined
      return { state: withTrial(bundle, trial), outputs: [{ name: 'save' }, { name: 'changed' }] }
    }
    case 'reopening':
      return { state: withTrial(state.before.current, state.before.trial), outputs: [{ name: 'changed' }] }
    case 'rolling-back':
      return rolledBack(state.before.current, { name: 'in-force', current: state.restored }, trialMs)
    default:
      return { state, outputs: [] }
  }
}

function onFailed(
  state: ActiveSettingsState,
  problem: string,
  { nowMs, trialMs }: ActiveSettingsContext,
): SettingsStep {
  const retryAt = nowMs + RETRY_MS
  switch (state.name) {
    case 'applying':
      return { state: state.before, outputs: [] }
    case 'reopening': {
      const { current, trial } = state.before
      if (state.isOnCommand) return { state: state.before, outputs: [] }
      return {
        state: { name: 'failed-retrying', current, trial, retryAt },
        outputs: [{ name: 'report', message: cannotOpen(current, problem) }],
      }
    }
    case 'rolling-back': {
      const restored: Current = { name: 'failed-retrying', current: state.restored, retryAt }
      const { state: following, outputs } = rolledBack(state.before.current, restored, trialMs)
      const message = cannotOpen(state.restored, problem)
      return { state: following, outputs: [{ name: 'report', message }, ...outputs] }
    }
    default:
      return { state, outputs: [] }
  }
}

const cannotOpen = ({ tag }: Bundle, problem: string): string =>
  `The ports of the settings ${tag} cannot be opened: ${problem}. Retrying in ${RETRY_MS / 1000} s.`

const rolledBack = (failed: Bundle, state: Current, trialMs: number): SettingsStep => ({
  state,
  outputs: [
    { name: 'save' },
    { name: 'changed' },
    {
      name: 'rolled-back',
      rollback: {
        failed,
        restored: state.current,
        reason: `the console could not be reached within ${trialMs / 1000} s`,
      },
    },
  ],
})
