// Splits a batch's touches: those that count, those that a list ignores, and those that wait for a name.
import type { ListName } from '../../stores/ignore/tables.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { DeferredTouch, DeferredTouches } from './deferred-touches.ts'
import type { IgnoreLists } from './ignore-lists.ts'

export interface IgnoreFilter {
  /** Whether the touch is raised now; another is added to `ignored` or `deferred`. */
  passes(arrival: Arrival, visitor?: string): boolean
  /** The same for one that has waited: an unknown name counts as none. */
  passesDeferred(arrival: Arrival): boolean
  readonly ignored: readonly ListName[]
  readonly deferred: readonly DeferredTouch[]
}

export function openIgnoreFilter(
  lists: IgnoreLists,
  { isNamed }: Pick<DeferredTouches, 'isNamed'>,
): IgnoreFilter {
  const ignored: ListName[] = []
  const deferred: DeferredTouch[] = []
  const isNamedNow = (address: string): boolean | undefined => isNamed(address, lists.hosts)
  const isNamedByNow = (address: string): boolean => isNamed(address, lists.hosts) ?? false
  return {
    ignored,
    deferred,
    passes(arrival, visitor) {
      const verdict = lists.match(arrival, isNamedNow)
      if (verdict === undefined) return true
      if (verdict === 'look-up') deferred.push({ arrival, visitor })
      else ignored.push(verdict)
      return false
    },
    passesDeferred(arrival) {
      const verdict = lists.match(arrival, isNamedByNow)
      if (verdict !== undefined && verdict !== 'look-up') ignored.push(verdict)
      return verdict === undefined
    },
  }
}
