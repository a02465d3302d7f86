// Port scans that several Birds saw.
import { consolidateScans } from '../birds/consolidated-scans.ts'
import type { OpenStage } from '../stage.ts'

export const scans: OpenStage = (batch) => ({
  async load(tx) {
    batch.arrivals = [...batch.arrivals, ...(await consolidateScans(tx, batch.ofScans))]
  },
})
