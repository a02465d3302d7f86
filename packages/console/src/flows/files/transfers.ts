// What a Bird says of a job, and what time does to it: the only ways in which open transfers move by themselves.
import { limit } from '@rookery/kernel/limit.ts'
import { MAX_FILE_REASON, type Body } from '@rookery/link/messages.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { openSecrets } from '../../stores/birds/secret-settings.ts'
import { settingsBundle, settingsOf, type Settings } from '../../stores/birds/settings.ts'
import { changeBird, findBird } from '../../stores/birds/store.ts'
import { addBundles } from '../../stores/bundles/store.ts'
import type { TransferKind } from '../../stores/transfers/tables.ts'
import {
  changeTransfer,
  endTransfer,
  findTransfer,
  overdueTransfers,
  type TransferRow,
} from '../../stores/transfers/store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Programs wait for a Bird that is away, as reboots do; who uploads sits in front of it. */
const IDLE_MS: Readonly<Record<TransferKind, number>> = {
  webroot: 30 * MINUTE_MS,
  share: 30 * MINUTE_MS,
  app: 48 * HOUR_MS,
}
/** A Bird that is away for so long is not waited for any more. */
const CANCELLING_MS = 48 * HOUR_MS
/** Overdue transfers that one sweep looks at. */
const OVERDUE = limit('transfers_overdue_per_sweep', 1_000)

type TransferDeps = Pick<AppContext, 'vault' | 'world'>

/** When a transfer is cancelled unless a byte moves before. */
export const deadlineOf = (kind: TransferKind, now: number): number => now + IDLE_MS[kind]

/**
 * Ends a transfer. One whose file the Bird was offered stays open until the Bird says how it ended: it may have applied it.
 * Answers the row as it is then; undefined when it has ended before.
 */
export const cancelTransfer = (
  tx: Tx,
  { job_id, state }: Pick<TransferRow, 'job_id' | 'state'>,
  reason: string,
  now: number,
): Promise<TransferRow | undefined> =>
  state === 'sending' || state === 'cancelling'
    ? changeTransfer(tx, job_id, now, {
        state: 'cancelling',
        reason,
        deadline_at: now + CANCELLING_MS,
      })
    : endTransfer(tx, job_id, now, { state: 'failed', reason })

/** What the Bird reports of its job; an end of a job that has ended here changes nothing. */
export async function recordFileState(
  tx: Tx,
  { vault, world }: TransferDeps,
  nodeId: string,
  { job, state, copied, pid, reason }: Body<'FILE_STATE'> & { readonly reason: string },
): Promise<void> {
  const row = await findTransfer(tx.query, job)
  if (!row || row.node_id !== nodeId || row.ended_at !== null) return
  const now = world.clock.now()
  switch (state) {
    case 'ready':
      await changeTransfer(tx, job, now, { ...(row.state === 'waiting' && { state: 'ready' }), pid })
      return
    case 'fetching':
      await changeTransfer(tx, job, now, { ...progress(row, copied, now), pid })
      return
    case 'failed':
      await endTransfer(tx, job, now, { state, pid, reason: row.reason || reason || 'failed' })
      return
    case 'applied':
      // It was offered no file that it could have applied.
      if (row.state !== 'sending' && row.state !== 'cancelling') return
      await endTransfer(tx, job, now, { state, pid, reason: '', copied: row.size })
      await giveSettings(tx, { vault, world }, nodeId, row)
  }
}

export const MAX_TRANSFER_REASON = MAX_FILE_REASON

/** So many bytes of the file are with the Bird: its time begins anew. */
export function progress(
  { state, kind, size, deadline_at }: Pick<TransferRow, 'state' | 'kind' | 'size' | 'deadline_at'>,
  copied: number,
  now: number,
): Pick<TransferRow, 'copied' | 'deadline_at'> {
  const deadline = state === 'sending' ? deadlineOf(kind, now) : deadline_at
  return { copied: Math.min(copied, size), deadline_at: deadline }
}

/** The settings under which the Bird uses what it has applied. */
async function giveSettings(
  tx: Tx,
  { vault, world }: TransferDeps,
  nodeId: string,
  { settings }: Pick<TransferRow, 'settings'>,
): Promise<void> {
  const bird = await findBird(tx.query, 'all', nodeId)
  if (settings === '{}' || bird?.state !== 'registered') return
  const given = { ...settingsOf(bird), ...(JSON.parse(settings) as Settings) }
  const { columns, row } = settingsBundle(bird, given, world, openSecrets(vault, nodeId, given))
  await changeBird(tx.query, nodeId, { ...columns, updated_at: row.created_at })
  await addBundles(tx, [row])
}

/** Ends transfers whose time is over; answers how many there were, at most `most`. */
export async function endOverdue(tx: Tx, now: number, most = OVERDUE.max): Promise<number> {
  const rows = await overdueTransfers(tx.query, now, most)
  if (rows.length === OVERDUE.max) OVERDUE.hit()
  for (const row of rows) {
    const hours = (now - row.created_at) / HOUR_MS
    if (row.state === 'cancelling')
      await endTransfer(tx, row.job_id, now, { state: 'failed', reason: row.reason })
    else await cancelTransfer(tx, row, overdueReason(row.kind, hours), now)
  }
  return rows.length
}

const overdueReason = (kind: TransferKind, hours: number): string =>
  kind === 'app'
    ? `The Bird did not take it within ${Math.floor(hours)} hours.`
    : `No byte came for ${IDLE_MS[kind] / MINUTE_MS} minutes. Start the upload again.`
