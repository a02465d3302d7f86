// Transfers of files to Birds. At most one of a kind is open for a Bird; an end is final.
import type { Query, Tx } from '../../db/query.ts'
import { notifyLinks } from '../birds/link-changes.store.ts'
import type { TransferKind, TransferTables } from './tables.ts'

export type TransferRow = TransferTables['bird_transfer']

/** What `source` says of a transfer that the Bird fetches from the console by HTTP. */
export const FROM_CONSOLE = 'console'

/** Whether `source` is the sealed address of a mirror. */
export const isMirror = (source: string): boolean => source !== '' && source !== FROM_CONSOLE

/** What a link must know of an open transfer. */
export type OpenTransfer = Pick<TransferRow, 'job_id' | 'kind' | 'state' | 'file_id' | 'size' | 'source'> & {
  /** Of the file; null until it is there. */
  readonly sha256: string | null
  /** Of an `app`: what its Bird judges. */
  readonly manifest: string | null
  readonly signature: string | null
}

export type NewTransfer = Pick<
  TransferRow,
  'job_id' | 'node_id' | 'kind' | 'password' | 'settings' | 'created_at' | 'deadline_at'
> &
  Partial<Pick<TransferRow, 'state' | 'file_id' | 'size' | 'update_tag' | 'source'>>

/** Begins a transfer, and notifies the Bird's link. One with a file begins with `state: 'sending'`. */
export async function addTransfer(tx: Tx, transfer: NewTransfer): Promise<TransferRow> {
  const row: TransferRow = {
    state: 'waiting',
    file_id: '',
    size: 0,
    copied: 0,
    reason: '',
    pid: 0,
    wrong_passwords: 0,
    update_tag: '',
    source: '',
    updated_at: transfer.created_at,
    ended_at: null,
    ...transfer,
  }
  await tx.insertMany('bird_transfer', [row])
  await notifyLinks(tx, [row.node_id])
  return row
}

export const findTransfer = (db: Query, jobId: string): Promise<TransferRow | undefined> =>
  db.selectFrom('bird_transfer').selectAll().where('job_id', '=', jobId).executeTakeFirst()

/** The newest of this kind. */
export const latestTransfer = (
  db: Query,
  nodeId: string,
  kind: TransferKind,
): Promise<TransferRow | undefined> =>
  db
    .selectFrom('bird_transfer')
    .selectAll()
    .where('node_id', '=', nodeId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    // One row is asked for.
    .limit(1)
    .executeTakeFirst()

export const openTransfers = (db: Query, nodeId: string): Promise<OpenTransfer[]> =>
  db
    .selectFrom('bird_transfer as job')
    .leftJoin('stored_file as file', 'file.file_id', 'job.file_id')
    .leftJoin('release', 'release.tag', 'job.update_tag')
    .select(['job.job_id', 'job.kind', 'job.state', 'job.file_id', 'job.size', 'job.source', 'file.sha256'])
    .select(['release.manifest', 'release.signature'])
    .where('job.node_id', '=', nodeId)
    .where('job.ended_at', 'is', null)
    .orderBy('job.created_at')
    .orderBy('job.job_id')
    .execute()

export type OpenChange = Partial<
  Pick<
    TransferRow,
    | 'state'
    | 'file_id'
    | 'size'
    | 'copied'
    | 'reason'
    | 'pid'
    | 'wrong_passwords'
    | 'settings'
    | 'deadline_at'
  >
>

/** Changes an open transfer; undefined when it has ended. What its link must know notifies that. */
export async function changeTransfer(
  tx: Tx,
  jobId: string,
  at: number,
  change: OpenChange,
): Promise<TransferRow | undefined> {
  const row = await tx.query
    .updateTable('bird_transfer')
    .set({ ...change, updated_at: at })
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (row && (change.state === 'sending' || change.state === 'cancelling'))
    await notifyLinks(tx, [row.node_id])
  return row
}

/** Ends an open transfer, and releases the file that it alone needs; undefined when it has ended before. */
export async function endTransfer(
  tx: Tx,
  jobId: string,
  at: number,
  change: Pick<TransferRow, 'state' | 'reason'> & OpenChange,
): Promise<TransferRow | undefined> {
  const row = await tx.query
    .updateTable('bird_transfer')
    .set({ ...change, file_id: '', password: '', updated_at: at, ended_at: at })
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (row) await releaseFileOf(tx, jobId)
  return row
}

/** Open transfers whose time is over, at most `most`. */
export const overdueTransfers = (db: Query, now: number, most: number): Promise<TransferRow[]> =>
  db
    .selectFrom('bird_transfer')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('deadline_at', '<', now)
    .orderBy('deadline_at')
    .limit(most)
    .execute()

/** Removes at most `most` transfers that ended before `before`; answers how many. */
export async function removeOldTransfers(tx: Tx, before: number, most: number): Promise<number> {
  const old = await tx.query
    .selectFrom('bird_transfer')
    .select('job_id')
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(most)
    .execute()
  const jobIds = old.map(({ job_id }) => job_id)
  await tx.deleteMany('bird_transfer', 'job_id', jobIds)
  return jobIds.length
}

/** The Bird is removed: nothing of its transfers is left. */
export async function removeTransfersOf(tx: Tx, nodeId: string): Promise<void> {
  for (const { job_id } of await openTransfers(tx.query, nodeId)) await releaseFileOf(tx, job_id)
  await tx.query.deleteFrom('bird_transfer').where('node_id', '=', nodeId).execute()
}

/** The next sweep removes what this job owns. */
async function releaseFileOf(tx: Tx, jobId: string): Promise<void> {
  await tx.query
    .updateTable('stored_file')
    .set({ owner: '', stored_at: 0 })
    .where('owner', '=', jobId)
    .execute()
}
