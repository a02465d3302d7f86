// The outbox: who is told of new incidents is written down in the transaction that raises them.
import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { Base } from '../base.ts'
import type { Tx } from '../db/query.ts'
import type { Told } from '../flows/raise/plan.ts'
import { addDeliveries, openBacklogs, postpone, type NewDelivery } from '../stores/deliveries/store.ts'
import { servingReceivers } from './receiver.ts'

export const newMessageId = (random: Random): string => `msg_${hex(random, 32)}`

/** A Bird sends its backlog in many batches: its summary waits for silence, but not for ever. */
const BACKLOG_QUIET_MS = 5_000
const BACKLOG_LONGEST_MS = 60_000

type Unnumbered = Omit<NewDelivery, 'delivery_id'>

export interface Outbox {
  /** The seam of `raise`: one row for each new incident and receiver of its Flock. */
  announce(tx: Tx, created: readonly Told[]): Promise<void>
  /** Whether rows were written since this was last asked: without them nobody need look for any. */
  hasNews(): boolean
}

export function openOutbox({ config, world }: Pick<Base, 'config' | 'world'>): Outbox {
  let isNew = false
  async function announce(tx: Tx, created: readonly Told[]): Promise<void> {
    const serving = await servingReceivers(config)
    const pairs = created.flatMap((incident) =>
      incident.muted
        ? []
        : (serving.get(incident.flock_id) ?? []).map((webhookId) => ({ incident, webhookId })),
    )
    if (pairs.length === 0) return
    const now = world.clock.now()
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
      else rows.push({ ...own, state: 'folded', folded_into: backlogs.of(webhookId, incident) })
    }
    if (backlogs) {
      rows.unshift(...backlogs.fresh)
      await postpone(tx, backlogs.known())
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

/** The summaries that a batch's late incidents go into: those that wait, and new ones. */
async function openBacklog(tx: Tx, now: number, random: Random) {
  const waiting = new Map(
    (await openBacklogs(tx.query, now)).map((row) => [`${row.webhook_id}/${row.payload}`, row]),
  )
  const used = new Map<number, number>()
  const fresh: Unnumbered[] = []
  const made = new Map<string, string>()
  return {
    fresh,
    known: () => [...used].map(([delivery_id, next_at]) => ({ delivery_id, next_at })),
    of(webhookId: string, incident: Told): string {
      const key = `${webhookId}/${incident.node_id}`
      const known = waiting.get(key)
      if (known) {
        used.set(known.delivery_id, Math.min(now + BACKLOG_QUIET_MS, known.created_at + BACKLOG_LONGEST_MS))
        return known.message_id
      }
      const messageId = made.get(key) ?? newMessageId(random)
      if (!made.has(key)) {
        made.set(key, messageId)
        fresh.push({
          message_id: messageId,
          webhook_id: webhookId,
          flock_id: incident.flock_id,
          subject: 'backlog',
          payload: incident.node_id,
          next_at: now + BACKLOG_QUIET_MS,
          created_at: now,
        })
      }
      return messageId
    },
  }
}
