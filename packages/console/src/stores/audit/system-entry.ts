// Rows of the audit trail without an API key: commands on the console's machine, and the console itself.
import type { Clock } from '@rookery/kernel/world.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import { quoteValue, type AuditFacts } from './message.ts'
import type { EntryFlock } from './entry-flock.ts'

/** `local`: a command on the console's machine. */
export type SystemActor = 'local' | 'console'

export function systemEntry(
  clock: Pick<Clock, 'now'>,
  actor: SystemActor,
  actionType: string,
  what: string,
  facts: AuditFacts = {},
  flock: EntryFlock = { flockId: '', flockName: '' },
): AuditEntry {
  const details = Object.entries(facts).map(([name, value]) => `${name} ${quoteValue(value)}`)
  return {
    at: clock.now(),
    action_type: actionType,
    message: details.length > 0 ? `${what}: ${details.join(', ')}.` : `${what}.`,
    actor,
    actor_ip: '',
    flock_id: flock.flockId,
    flock_name: flock.flockName,
  }
}
