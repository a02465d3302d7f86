// Sessions of people. A session is read anew for each call: who is disabled or signed out is out at once.
import type { Query, Tx } from '../../db/query.ts'
import type { Row } from '../../db/query.ts'
import type { UserTables } from '../users/tables.ts'
import type { SessionTables } from './tables.ts'

export type SessionRow = SessionTables['session']

/** Without a call for so long a session ends. */
export const IDLE_MS = 12 * 3_600_000
export const LONGEST_MS = 7 * 86_400_000
/** Sessions of one person; a further one ends the least used. */
const MOST_OF_A_PERSON = 50

export type SessionWithUser = Pick<SessionRow, 'session_id' | 'user_id' | 'page_hash' | 'used_at'> &
  Pick<UserTables['user_account'], 'access_level'> & { readonly email: string }

/** The session of a cookie whose person may still sign in; undefined once it has ended. */
export const findSession = (
  db: Query,
  cookieHash: string,
  now: number,
): Promise<SessionWithUser | undefined> =>
  db
    .selectFrom('session')
    .innerJoin('user_account', 'user_account.user_id', 'session.user_id')
    .select([
      'session_id',
      'session.user_id as user_id',
      'page_hash',
      'used_at',
      'user_account.email as email',
      'user_account.access_level as access_level',
    ])
    .where('cookie_hash', '=', cookieHash)
    .where('used_at', '>', now - IDLE_MS)
    .where('session.created_at', '>', now - LONGEST_MS)
    .where('user_account.disabled', '=', 0)
    .executeTakeFirst()

/** Stores a session; the person's least used ones make room. */
export async function addSession(tx: Tx, row: SessionRow): Promise<void> {
  const others = await tx.query
    .selectFrom('session')
    .select('session_id')
    .where('user_id', '=', row.user_id)
    .orderBy('used_at', 'desc')
    .offset(MOST_OF_A_PERSON - 1)
    .limit(MOST_OF_A_PERSON)
    .execute()
  await tx.deleteMany(
    'session',
    'session_id',
    others.map(({ session_id }) => session_id),
  )
  await tx.insertMany('session', [row as unknown as Row])
}

export const markSessionUsed = (db: Query, sessionId: string, now: number): Promise<unknown> =>
  db.updateTable('session').set({ used_at: now }).where('session_id', '=', sessionId).execute()

export const endSession = (db: Query, sessionId: string): Promise<unknown> =>
  db.deleteFrom('session').where('session_id', '=', sessionId).execute()

/** Answers how many there were. */
export async function endSessionsOf(db: Query, userId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('session').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes sessions that have ended by themselves. */
export const removeEndedSessions = (db: Query, now: number): Promise<unknown> =>
  db
    .deleteFrom('session')
    .where((it) => it.or([it('used_at', '<=', now - IDLE_MS), it('created_at', '<=', now - LONGEST_MS)]))
    .execute()

/** Which of these sessions have not ended. */
export async function liveSessions(
  db: Query,
  sessionIds: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (sessionIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('session')
    .innerJoin('user_account', 'user_account.user_id', 'session.user_id')
    .select('session_id')
    .where('session_id', 'in', sessionIds)
    .where('used_at', '>', now - IDLE_MS)
    .where('session.created_at', '>', now - LONGEST_MS)
    .where('user_account.disabled', '=', 0)
    .execute()
  return new Set(rows.map(({ session_id }) => session_id))
}
