// What the retention would remove now, by the settings of the console and of each Flock.
import { countDue } from '../flows/retention/count-due.ts'
import { readRetention } from '../flows/retention/rules.ts'
import type { OpenContext } from '../open-context.ts'
import type { Finding } from './finding.ts'

export async function examineRetention({ engine, reader, world }: OpenContext): Promise<Finding> {
  const rules = await readRetention(reader)
  const { incidents, deliveries } = await countDue(engine, rules, world.clock.now())
  const own = [...rules.flocks.values()].filter(
    ({ incident_days, delivery_days }) => incident_days !== null || delivery_days !== null,
  ).length
  const days = [
    `incidents that are done with ${kept(rules.incident_days)}, deliveries ${kept(rules.delivery_days)}`,
    ...(own > 0 ? [`${own} ${own === 1 ? 'Flock has' : 'Flocks have'} days of their own`] : []),
  ]
  const text = `${days.join('; ')}: ${incidents} incidents and ${deliveries} deliveries would be removed now`
  return { ok: true, about: 'retention', text }
}

const kept = (days: number): string => (days === 0 ? 'are kept' : `go after ${days} days`)
