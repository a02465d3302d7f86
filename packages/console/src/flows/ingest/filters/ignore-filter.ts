// Splits a batch's touches: those that count, those that a list ignores, and those that wait for a name.
import type { ListName } from '../../../stores/ignore/tables.ts'
import type { Arrival } from '../../raise/arrival.ts'
import type { DeferredTouch, DeferredTouches } from './deferred-touches.ts'
import type { TouchFilter } from './filter.ts'
import type { IgnoreLists } from './ignore-lists.ts'
import type { IgnoredTouch } from './ignored-touches.ts'

/** To one that has waited, an unknown name counts as none. What is not raised is added to `ignored` or `deferred`. */
export interface IgnoreFilter extends TouchFilter {
  readonly ignored: readonly IgnoredTouch[]
  readonly deferred: readonly DeferredTouch[]
}

export function openIgnoreFilter(
  lists: IgnoreLists,
  { isNamed, listedName }: Pick<DeferredTouches, 'isNamed' | 'listedName'>,
): IgnoreFilter {
  const ignored: IgnoredTouch[] = []
  const deferred: DeferredTouch[] = []
  const isNamedNow = (address: string): boolean | undefined => isNamed(address, lists.hosts)
  const isNamedByNow = (address: string): boolean => isNamed(address, lists.hosts) ?? false
  const ignore = (arrival: Arrival, list: ListName): void => {
    ignored.push({ arrival, list, entry: () => lists.entryFor(arrival, list, listedName) })
  }
  return {
    ignored,
    deferred,
    judge(arrival, visitOf) {
      const verdict = lists.match(arrival, isNamedNow)
      if (verdict === undefined) return 'raised'
      if (verdict === 'look-up') deferred.push({ arrival, ...visitOf?.() })
      else ignore(arrival, verdict)
      return verdict === 'look-up' ? 'deferred' : 'ignored'
    },
    passesDeferred(arrival) {
      const verdict = lists.match(arrival, isNamedByNow)
      if (verdict !== undefined && verdict !== 'look-up') ignore(arrival, verdict)
      return verdict === undefined
    },
  }
}
