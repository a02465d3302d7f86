// Lists of people to tell, and how far the weekly summaries are: every query on their tables.
import type { Query, Tx } from '../../db/query.ts'
import type { ListName } from './tables.ts'

export interface NotificationList {
  readonly recipients: readonly string[]
  readonly enabled: boolean
}

export type NotificationLists = Readonly<Record<ListName, NotificationList>>

const NONE: NotificationList = { recipients: [], enabled: false }

/** The lists of a Flock, or of the console (`CONSOLE`). */
export async function readLists(db: Query, owner: string): Promise<NotificationLists> {
  const rows = await db.selectFrom('notification_list').selectAll().where('flock_id', '=', owner).execute()
  const kept = rows.map(({ list, recipients, enabled }): [string, NotificationList] => [
    list,
    { recipients: recipients.split(',').filter(Boolean), enabled: enabled === 1 },
  ])
  return { emails: NONE, sms: NONE, summary_email: NONE, ...Object.fromEntries(kept) }
}

export async function putList(
  tx: Tx,
  owner: string,
  list: ListName,
  { recipients, enabled }: NotificationList,
): Promise<void> {
  const row = { flock_id: owner, list, recipients: recipients.join(','), enabled: enabled ? 1 : 0 }
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
