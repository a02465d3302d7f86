// What the retention would remove now.
import type { Engine } from '../../db/engine.ts'
import { lastCutoff } from '../../db/cutoffs.ts'
import { countOldDeliveries } from '../../stores/deliveries/retention.store.ts'
import { countDoneWith } from '../../stores/incidents/retention.store.ts'
import { cutoffs, type RetentionRules } from './rules.ts'

export interface Due {
  readonly incidents: number
  readonly deliveries: number
}

export async function countDue(engine: Engine, rules: RetentionRules, now: number): Promise<Due> {
  const incidents = cutoffs(rules, 'incident_days', now)
  const deliveries = cutoffs(rules, 'delivery_days', now)
  return {
    incidents: lastCutoff(incidents) === 0 ? 0 : await countDoneWith(engine, incidents),
    deliveries: lastCutoff(deliveries) === 0 ? 0 : await countOldDeliveries(engine, deliveries),
  }
}
