// Touches that waited for the name of their source, and are judged now.
import { askedOf, keysOfDeferred } from '../filters/visit-keys.ts'
import type { OpenStage } from '../stage.ts'
import { takeReleased } from '../tokens/visits.ts'

export const releasedTouches: OpenStage = (batch, { deferred }) => {
  const releases = batch.items('released')
  return {
    async load(tx) {
      const taken = await deferred.take(
        tx,
        releases.flatMap(({ released }) => released.deferredIds),
        releases.some(({ released }) => released.isSanitized),
      )
      await batch.loadVisits(() =>
        taken.flatMap(({ arrival, ...visit }) => {
          const keys = keysOfDeferred(visit)
          return keys ? askedOf(keys, arrival) : []
        }),
      )
      const { cached, visiting, filter, replays, firsts } = batch
      const released = await takeReleased(cached, taken, { dedup: visiting, filter, replays, firsts })
      batch.arrivals = released.arrivals
      batch.ofScans.push(...released.arrivals)
      batch.ofTokens.push(...released.arrivals)
      batch.amendments.push(...released.amendments)
    },
    committed() {
      for (const { done } of releases) done()
    },
  }
}
