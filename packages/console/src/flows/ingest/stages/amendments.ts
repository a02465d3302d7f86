// What later requests of a visit add to its event.
import { amendEvents } from '../../../stores/incidents/amend.store.ts'
import type { OpenStage } from '../stage.ts'

export const amendments: OpenStage = (batch) => ({ store: (tx) => amendEvents(tx, batch.amendments) })
