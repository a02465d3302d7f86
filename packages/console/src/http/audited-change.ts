// A changing call writes, in the transaction of its change, one row of the audit trail, and raises an incident when it
// changed settings. Every call that succeeds has one row, also when it found nothing to change.
import { actionType } from '@rookery/contract/action-type.ts'
import type { Operation } from '@rookery/contract/operation.ts'
import type { AppContext } from '../app-context.ts'
import type { Tx } from '../db/query.ts'
import type { SettingsWatch } from '../flows/settings-change/watch.ts'
import type { NewIncident } from '../flows/raise/plan.ts'
import type { AuditEntry } from '../db/audit-entry.ts'
import { findEntryFlock, type EntryFlock } from '../stores/audit/entry-flock.ts'
import type { IncidentNames } from '../secrets/incident-name.ts'
import type { Call } from './call.ts'
import { auditMessage, type AuditFacts } from '../stores/audit/message.ts'

export interface AuditedChangeDeps extends Pick<AppContext, 'writer' | 'world'> {
  readonly names: IncidentNames
  readonly watch: SettingsWatch
  /** New incidents are committed. */
  readonly onRaised: (created: readonly NewIncident[]) => void
}

/** One call of an operation, with its caller. */
export interface OperationCall {
  readonly operation: Operation
  readonly params: Readonly<Record<string, unknown>>
  readonly caller: Call['caller']
  readonly address: string
}

export type AuditedChange = Pick<Call, 'change' | 'note' | 'auditEntry'> & {
  /** Called after success: an operation that wrote nothing writes its row now. */
  readonly finish: () => Promise<void>
}

export function openAuditedChange(
  { writer, world, names, watch, onRaised }: AuditedChangeDeps,
  asked: OperationCall,
): AuditedChange {
  const { operation, params, caller, address } = asked
  let isRecorded = false
  let facts: AuditFacts = {}

  const entry = (flock: EntryFlock, more: AuditFacts = {}): AuditEntry => ({
    at: world.clock.now(),
    action_type: actionType(operation),
    message: auditMessage(operation, params, { ...facts, ...more }),
    actor: caller.keyId,
    actor_ip: address,
    flock_id: flock.flockId,
    flock_name: flock.flockName,
  })

  /** Runs the work between two reads of the settings. */
  async function recorded<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    isRecorded = true
    try {
      const outcome = await writer.write(
        async (tx) => {
          const flock = await findEntryFlock(tx, names, params)
          const changed = operation.settings && (await watch(tx, operation.settings, params))
          const value = await work(tx)
          // A Flock that was made just now is in the facts that the work noted.
          const auditRow = entry(flock.flockId === '' ? await findEntryFlock(tx, names, facts) : flock)
          const created =
            (await changed?.(tx, { by: caller.keyId, address, message: auditRow.message })) ?? []
          return { value, auditRow, created }
        },
        'care',
        ({ auditRow }) => [auditRow],
      )
      if (outcome.created.length > 0) onRaised(outcome.created)
      return outcome.value
    } catch (error) {
      isRecorded = false
      throw error
    }
  }

  return {
    change: (work) => (isRecorded ? writer.write(work) : recorded(work)),
    note: (more) => void (facts = { ...facts, ...more }),
    auditEntry(flock, more) {
      isRecorded = true
      return entry(flock, more)
    },
    finish: () => (isRecorded || !operation.changes ? Promise.resolve() : recorded(() => Promise.resolve())),
  }
}
