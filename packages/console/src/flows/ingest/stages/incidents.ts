// Arrivals become incidents and their events.
import type { NewIncident } from '../../raise/plan.ts'
import { raise } from '../../raise/raise.ts'
import type { OpenStage } from '../stage.ts'

export const incidents: OpenStage = (batch, { raising, onRaised }) => {
  let created: readonly NewIncident[] = []
  return {
    async store(tx) {
      created = await raise(tx, batch.arrivals, raising)
    },
    committed() {
      if (created.length > 0) onRaised(created)
    },
  }
}
