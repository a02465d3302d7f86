// What a filter is: a stage with a `judge` (stage.ts). ../README.md has the steps to add one.
import type { Arrival } from '../../raise/arrival.ts'
import type { DeferredVisit } from './deferred-touches.ts'

/** `ignored` raises nothing, now or later; `deferred` is judged again by `passesDeferred`, once its source has a name. */
export type FilterVerdict = 'raised' | 'ignored' | 'deferred'

export interface TouchFilter {
  /** Whether the touch is raised now. `visitOf` says to which visit of a token it belongs; one that is deferred is kept with it. */
  judge(arrival: Arrival, visitOf?: () => DeferredVisit): FilterVerdict
  /** Whether a touch is raised that was deferred before. */
  passesDeferred(arrival: Arrival): boolean
}
