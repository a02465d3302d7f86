// What the console asks of people who sign in, and how long they stay.
import type { ConsoleSettings } from './store.ts'

export interface SignInRules {
  /** Without a call for so long a session ends. */
  readonly idleMs: number
  readonly longestMs: number
  readonly isFactorRequired: boolean
}

export const signInRules = (settings: ConsoleSettings): SignInRules => ({
  idleMs: Number(settings.idle_minutes) * 60_000,
  longestMs: Number(settings.longest_hours) * 3_600_000,
  isFactorRequired: settings.second_factor_required === 'true',
})
