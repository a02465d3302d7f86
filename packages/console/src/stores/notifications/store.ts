// Lists of recipients, and up to when the weekly summaries are made: every query on their tables.
import type { Query, Tx } from '../../db/query.ts'
import type { NotificationTables } from './tables.ts'

export interface NotificationList {
  readonly recipients: readonly string[]
  readonly enabled: boolean
  readonly attention: Pick<NotificationTables['notification_list'], 'levels' | 'quiet_hours'>
}

const NONE: NotificationList = {
  recipients: [],
  enabled: false,
  attention: { levels: '', quiet_hours: '' },
}

/** A list of a Flock, or of the console (`CONSOLE`). */
export async function readList(db: Query, owner: string, list: string): Promise<NotificationList> {
  const row = await db
    .selectFrom('notification_list')
    .select(['recipients', 'enabled', 'levels', 'quiet_hours'])
    .where('flock_id', '=', owner)
    .where('list', '=', list)
    .executeTakeFirst()
  if (!row) return NONE
  const { recipients, enabled, ...attention } = row
  return { recipients: recipients.split(',').filter(Boolean), enabled: enabled === 1, attention }
}

export async function putList(
  tx: Tx,
  owner: string,
  list: string,
  { recipients, enabled, attention }: NotificationList,
): Promise<void> {
  const row = {
    flock_id: owner,
    list,
    recipients: recipients.join(','),
    enabled: enabled ? 1 : 0,
    ...attention,
  }
  await tx.insertMany('notification_list', [row], { key: ['flock_id', 'list'], then: 'replace' })
}

export async function removeListsOfFlock(db: Query, flockId: string): Promise<void> {
  await db.deleteFrom('notification_list').where('flock_id', '=', flockId).execute()
}

/** Up to when the weekly summaries are made; undefined before the first start. */
export async function summarisedUntil(db: Query): Promise<number | undefined> {
  const row = await db.selectFrom('weekly_summary').select('until').where('id', '=', 1).executeTakeFirst()
  return row?.until
}

export const markSummarised = (tx: Tx, until: number): Promise<void> =>
  tx.insertMany('weekly_summary', [{ id: 1, until }], { key: ['id'], then: 'replace' })
