// Ignore lists: what one names is counted and shown, not raised. A touch whose source must be looked up first is deferred.
import { openIgnoreFilter } from '../filters/ignore-filter.ts'
import type { OpenStage } from '../stage.ts'

export const ignoring: OpenStage = ({ lists }, { deferred, onIgnored, ignoredTouches }) => {
  const filter = openIgnoreFilter(lists, deferred)
  let lookUp = (): void => undefined
  return {
    judge: filter.judge,
    passesDeferred: filter.passesDeferred,
    async store(tx) {
      lookUp = await deferred.defer(tx, filter.deferred, lists.hosts)
    },
    committed() {
      for (const { list } of filter.ignored) onIgnored(list)
      ignoredTouches.add(filter.ignored)
      lookUp()
    },
  }
}
