// What files say of the sources: what is known already goes into the events, the rest is looked up after the commit.
import type { OpenStage } from '../stage.ts'

export const sourceFacts: OpenStage = (batch, { sourceDescriber }) =>
  sourceDescriber
    ? {
        load() {
          batch.arrivals = sourceDescriber.describe(batch.arrivals)
          return Promise.resolve()
        },
        committed: () => sourceDescriber.lookUp(batch.arrivals),
      }
    : {}
