// Sessions of people. A session is read anew for each call: who is disabled or signed out is out at once.
import type { Query, Scope, Tx } from '../../db/query.ts'
import type { Row } from '../../db/query.ts'
import type { SignInRules } from '../settings/sign-in.ts'
import type { SessionTables } from './tables.ts'

export type SessionRow = SessionTables['session']

/** So long a session waits for its second factor. */
const PENDING_MS = 600_000
/** Sessions of one person; a further one ends the least used. */
const MAX_OF_A_PERSON = 50

/** The session of a cookie whose person may still sign in; undefined once it has ended. */
export const findSession = (db: Query, cookieHash: string, now: number, rules: SignInRules) =>
  db
    .selectFrom('session')
    .innerJoin('user_account', 'user_account.user_id', 'session.user_id')
    .select([
      'session_id',
      'session.user_id as user_id',
      'page_hash',
      'used_at',
      'needs_factor',
      'proved_at',
      'user_account.email as email',
      'user_account.access_level as access_level',
      'user_account.totp_enabled as totp_enabled',
      'user_account.webauthn_enabled as webauthn_enabled',
    ])
    .where('cookie_hash', '=', cookieHash)
    .where('used_at', '>', now - rules.idleMs)
    .where('session.created_at', '>', now - rules.longestMs)
    .where((it) => it.or([it('needs_factor', '=', 0), it('session.created_at', '>', now - PENDING_MS)]))
    .where('user_account.disabled', '=', 0)
    .executeTakeFirst()

/** Stores a session; the person's least used ones make room, those first that lack their factor: a password alone ends no other. */
export async function addSession(tx: Tx, row: SessionRow): Promise<void> {
  const others = await tx.query
    .selectFrom('session')
    .select('session_id')
    .where('user_id', '=', row.user_id)
    .orderBy('needs_factor')
    .orderBy('used_at', 'desc')
    .offset(MAX_OF_A_PERSON - 1)
    .limit(MAX_OF_A_PERSON)
    .execute()
  await tx.deleteMany(
    'session',
    'session_id',
    others.map(({ session_id }) => session_id),
  )
  await tx.insertMany('session', [row as unknown as Row])
}

/** New halves for a session whose person has just shown a factor; false once it has ended. */
export async function renewSession(
  db: Query,
  sessionId: string,
  halves: Pick<SessionRow, 'cookie_hash' | 'page_hash' | 'proved_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ ...halves, used_at: halves.proved_at, needs_factor: 0 })
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The newest first; those that still lack their factor are none yet. */
export const sessionsOf = (
  db: Query,
  userId: string,
  now: number,
  { idleMs, longestMs }: SignInRules,
): Promise<SessionRow[]> =>
  db
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', userId)
    .where('needs_factor', '=', 0)
    .where('used_at', '>', now - idleMs)
    .where('created_at', '>', now - longestMs)
    .orderBy('used_at', 'desc')
    .execute()

export const markSessionUsed = (db: Query, sessionId: string, now: number): Promise<unknown> =>
  db.updateTable('session').set({ used_at: now }).where('session_id', '=', sessionId).execute()

export const endSession = (db: Query, sessionId: string): Promise<unknown> =>
  db.deleteFrom('session').where('session_id', '=', sessionId).execute()

/** Answers how many there were. `but` is a session that stays. */
export async function endSessionsOf(db: Query, userId: string, but = ''): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('session_id', '!=', but)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes sessions that have ended by themselves. */
export const removeEndedSessions = (
  db: Query,
  now: number,
  { idleMs, longestMs }: SignInRules,
): Promise<unknown> =>
  db
    .deleteFrom('session')
    .where((it) =>
      it.or([
        it('used_at', '<=', now - idleMs),
        it('created_at', '<=', now - longestMs),
        it.and([it('needs_factor', '=', 1), it('created_at', '<=', now - PENDING_MS)]),
      ]),
    )
    .execute()

/** Those of these sessions that have not ended and lack nothing, each with what its person may read now. */
export async function liveSessions(
  db: Query,
  sessionIds: readonly string[],
  now: number,
  { idleMs, longestMs, isFactorRequired }: SignInRules,
): Promise<ReadonlyMap<string, Scope>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('session')
    .innerJoin('user_account', 'user_account.user_id', 'session.user_id')
    .leftJoin('user_flock', 'user_flock.user_id', 'session.user_id')
    .select(['session_id', 'access_level', 'user_flock.flock_id as flock_id'])
    .where('session_id', 'in', sessionIds)
    .where('used_at', '>', now - idleMs)
    .where('session.created_at', '>', now - longestMs)
    .where('needs_factor', '=', 0)
    .where('user_account.disabled', '=', 0)
    .$if(isFactorRequired, (sql) =>
      sql.where((it) => it.or([it('totp_enabled', '=', 1), it('webauthn_enabled', '=', 1)])),
    )
    .execute()
  const scopeOf = (of: typeof rows): Scope =>
    of.some(({ access_level }) => access_level === 'admin')
      ? 'all'
      : of.flatMap(({ flock_id }) => (flock_id === null ? [] : [flock_id]))
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id)
  return new Map([...bySession].map(([id, of]): [string, Scope] => [id, scopeOf(of)]))
}
