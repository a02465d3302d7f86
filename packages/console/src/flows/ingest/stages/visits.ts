// Visits that have begun: their later requests raise nothing.
import type { OpenStage } from '../stage.ts'

export const visits: OpenStage = ({ visiting }, { storedVisits }) => ({
  store: (tx) => storedVisits.store(tx, visiting),
  committed: () => visiting.commit(),
})
