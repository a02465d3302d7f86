// The end of an authorisation is no call of an operation, but it changes a Flock like one: it has its row of the audit
// trail, and raises the incident of changed settings, in the same transaction.
import type { Tx } from '../../db/query.ts'
import { quoteValue } from '../../stores/audit/message.ts'
import type { AuditedChangeDeps } from '../../http/audited-change.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import type { Authorised } from './authorise.ts'

export const openRecorded =
  ({ writer, world, watch, onRaised }: AuditedChangeDeps) =>
  async (authorised: Authorised, work: (tx: Tx) => Promise<void>): Promise<void> => {
    const { keyId, address, flock, team, channel } = authorised
    const entry: AuditEntry = {
      at: world.clock.now(),
      action_type: 'flock_chats.add_chatops',
      message: `Add a channel of a chat service: flock_id ${quoteValue(flock.flock_id)}, team ${quoteValue(team)}, channel ${quoteValue(channel)}.`,
      actor: keyId,
      actor_ip: address,
      flock_id: flock.flock_id,
      flock_name: flock.name,
    }
    const created = await writer.write(
      async (tx) => {
        const changed = await watch(tx, 'flock', { flock_id: flock.flock_id })
        await work(tx)
        return changed(tx, { by: keyId, address, message: entry.message })
      },
      'care',
      () => [entry],
    )
    if (created.length > 0) onRaised(created)
  }
