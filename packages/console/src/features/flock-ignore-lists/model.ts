// Which lines apply to a Flock: the console's, its own, or both.
import type { Query } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { CONSOLE, readFlockIgnore, readLines, type FlockIgnore } from '../../stores/ignore/store.ts'
import { readSettings, type ConsoleSettings } from '../../stores/settings/store.ts'

export interface FlockLists {
  readonly settings: ConsoleSettings
  readonly mode: FlockIgnore['mode']
  readonly inherits: boolean
  /** Whether touches are ignored by it. */
  readonly isEnabled: boolean
  /** The Flock's own lines, also while they do not apply. */
  readonly own: readonly string[]
  /** The console's lines, where the Flock follows or inherits them. */
  readonly global: readonly string[]
  /** The lines that apply while the Flock's list is on. */
  readonly inForce: readonly string[]
}

/** The Flock's list as it stands; an unknown Flock is a `not-found`. */
export async function flockLists(db: Query, { caller }: Call, flockId: string): Promise<FlockLists> {
  await existingFlock(db, caller.scope, flockId)
  const { mode, inherits } = await readFlockIgnore(db, flockId)
  const settings = await readSettings(db)
  const isConsoleOn = settings.ip_ignore_enabled === 'true'
  // A Flock that follows the console shows its list even while that is off; one that inherits it does not.
  const hasGlobal = mode === 'global' || (inherits === 1 && isConsoleOn)
  const own = await readLines(db, 'ip', flockId)
  const global = hasGlobal ? await readLines(db, 'ip', CONSOLE) : []
  return {
    settings,
    mode,
    inherits: inherits === 1,
    isEnabled: mode === 'global' ? isConsoleOn : mode === 'on',
    own,
    global,
    inForce: mode === 'global' ? global : [...own, ...global],
  }
}
