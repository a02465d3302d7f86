// The outbox: the transaction that raises incidents also writes a message for each of their receivers.
import type { Level } from '@rookery/kernel/logtype.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { addDeliveries, openBacklogs, postpone, type NewDelivery } from '../../stores/deliveries/store.ts'
import { logtypeOf } from '../../logtypes.ts'
import { activeReceivers } from '../active-receivers.ts'
import { listening } from '../attention.ts'
import { newMessageId } from '../message-id.ts'

/** A new incident, as far as its alerts depend on it. */
export interface IncidentNotice {
  readonly incident_id: number
  readonly flock_id: string
  readonly node_id: string
  readonly logtype: string
  /** No alert is sent for it. */
  readonly muted: boolean
  /** It belongs to the summary of its Bird's backlog. */
  readonly late: boolean
  /** One alert tells a receiver of it and all others that share theirs. */
  readonly sharedAlert?: SharedAlert
}

export interface SharedAlert {
  /** Flocks whose receivers have been notified. */
  readonly notifiedFlocks: readonly string[]
}

/** A Bird sends its backlog in many batches: its summary waits for silence, but not for ever. */
const BACKLOG_QUIET_MS = 5_000
const MAX_BACKLOG_MS = 60_000

type Unnumbered = Omit<NewDelivery, 'delivery_id'>

export interface Outbox {
  /** Called by `raise`: writes one row for each new incident and receiver of its Flock. */
  announce(tx: Tx, created: readonly IncidentNotice[]): Promise<void>
  /** Whether rows were written since the last call. */
  hasNews(): boolean
}

export function openOutbox({ config, world }: Pick<AppContext, 'config' | 'world'>): Outbox {
  let isNew = false
  async function announce(tx: Tx, created: readonly IncidentNotice[]): Promise<void> {
    const active = await activeReceivers(config)
    const now = world.clock.now()
    const isNotifiedOf = listening(now)
    const notified = new Set(
      created
        .flatMap(({ sharedAlert }) => sharedAlert?.notifiedFlocks ?? [])
        .flatMap((id) => active.get(id) ?? []),
    )
    function isNotified({ sharedAlert }: IncidentNotice, webhookId: string): boolean {
      if (sharedAlert === undefined) return false
      const wasNotified = notified.has(webhookId)
      notified.add(webhookId)
      return wasNotified
    }
    const pairs = created.flatMap((incident) =>
      incident.muted
        ? []
        : (active.get(incident.flock_id) ?? [])
            .filter((webhookId) => isNotifiedOf(active.attention.get(webhookId), levelOf(incident)))
            .filter((webhookId) => !isNotified(incident, webhookId))
            .map((webhookId) => ({ incident, webhookId })),
    )
    if (pairs.length === 0) return
    const backlogs = pairs.some(({ incident }) => incident.late)
      ? await openBacklog(tx, now, world.random)
      : undefined
    const rows: Unnumbered[] = []
    for (const { incident, webhookId } of pairs) {
      const own: Unnumbered = {
        message_id: newMessageId(world.random),
        webhook_id: webhookId,
        flock_id: incident.flock_id,
        subject: 'incident',
        incident_id: incident.incident_id,
        next_at: now,
        created_at: now,
      }
      if (!incident.late || !backlogs) rows.push(own)
      else rows.push({ ...own, state: 'folded', folded_into: backlogs.messageFor(webhookId, incident) })
    }
    if (backlogs) {
      rows.unshift(...backlogs.added)
      await postpone(tx, backlogs.postponed())
    }
    const first = await tx.updatedIds(rows.length)
    await addDeliveries(
      tx,
      rows.map((row, index) => ({ delivery_id: first + index, ...row })),
    )
    isNew = true
  }

  return {
    announce,
    hasNews() {
      const was = isNew
      isNew = false
      return was
    },
  }
}

/** As alerts show it. */
const levelOf = ({ logtype }: IncidentNotice): Level => logtypeOf(logtype).level ?? 'house'

/** The summaries that take a batch's late incidents: those that wait, and new ones. */
async function openBacklog(tx: Tx, now: number, random: Random) {
  const keyOf = (webhookId: string, nodeId: string): string => `${webhookId}/${nodeId}`
  const waiting = new Map(
    (await openBacklogs(tx.query, now)).map((row) => [keyOf(row.webhook_id, row.payload), row]),
  )
  const used = new Map<number, number>()
  const added = new Map<string, Unnumbered>()
  return {
    get added() {
      return [...added.values()]
    },
    postponed: () => [...used].map(([delivery_id, next_at]) => ({ delivery_id, next_at })),
    /** The id of the summary that takes the incident. */
    messageFor(webhookId: string, incident: IncidentNotice): string {
      const key = keyOf(webhookId, incident.node_id)
      const known = waiting.get(key)
      if (known) {
        used.set(known.delivery_id, Math.min(now + BACKLOG_QUIET_MS, known.created_at + MAX_BACKLOG_MS))
        return known.message_id
      }
      const summary = added.get(key) ?? {
        message_id: newMessageId(random),
        webhook_id: webhookId,
        flock_id: incident.flock_id,
        subject: 'backlog' as const,
        payload: incident.node_id,
        next_at: now + BACKLOG_QUIET_MS,
        created_at: now,
      }
      added.set(key, summary)
      return summary.message_id
    },
  }
}
