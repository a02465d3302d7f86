// What providers report of what they issued.
import type { OpenStage } from '../stage.ts'
import { takeProviderBatches, type ProviderIntake } from '../tokens/provider-events.ts'

export const providerEvents: OpenStage = (batch, { quietTouches }) => {
  const reports = batch.items('provider')
  let taken: ProviderIntake | undefined
  return {
    async load(tx) {
      const { cached, filter, firsts } = batch
      taken = await takeProviderBatches(
        tx,
        cached,
        reports.map(({ provider }) => provider),
        { filter, firsts },
      )
      batch.arrivals = [...batch.arrivals, ...taken.arrivals]
      batch.ofTokens.push(...taken.arrivals)
    },
    committed() {
      if (taken) quietTouches.add(taken.quiet, [])
      for (const { done } of reports) done()
    },
  }
}
