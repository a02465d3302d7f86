// Users and their roles in Flocks: every query on their tables.
import type { Query, Tx } from '../../db/query.ts'
import type { FlockRole, UserTables } from './tables.ts'

export type UserRow = UserTables['user_account']
export type RoleRow = UserTables['user_flock']

/** What may be changed of a user; the rest is decided when the user is made. */
export type UserChange = Partial<Omit<UserRow, 'user_id' | 'created_at'>>

export type NewUser = Pick<UserRow, 'user_id' | 'email' | 'access_level' | 'created_at'> & UserChange

/** The key of an address: two spellings that differ in case are one user. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

export const findUser = (db: Query, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('user_account').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst()

export const findUserById = (db: Query, userId: string): Promise<UserRow | undefined> =>
  db.selectFrom('user_account').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const hasFactor = (user: Pick<UserRow, 'totp_enabled' | 'webauthn_enabled'>): boolean =>
  user.totp_enabled === 1 || user.webauthn_enabled === 1

/** Every user, by address. */
export const listUsers = (db: Query): Promise<UserRow[]> =>
  db.selectFrom('user_account').selectAll().orderBy('email_key').execute()

/** Adds a user; the columns that are left out have their defaults. */
export const addUser = (tx: Tx, user: NewUser): Promise<void> =>
  tx.insertMany('user_account', [{ ...user, email_key: emailKey(user.email) }])

/** A change of nothing is none. */
export async function changeUser(db: Query, userId: string, change: UserChange): Promise<void> {
  if (Object.keys(change).length > 0)
    await db.updateTable('user_account').set(change).where('user_id', '=', userId).execute()
}

/** Removes a user and the roles in Flocks. */
export async function removeUser(db: Query, userId: string): Promise<void> {
  await db.deleteFrom('user_flock').where('user_id', '=', userId).execute()
  await db.deleteFrom('user_account').where('user_id', '=', userId).execute()
}

export async function countUsers(db: Query): Promise<number> {
  const row = await db
    .selectFrom('user_account')
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Admins that are not disabled, but for one; who has not answered an invitation yet is none. */
export async function countOtherAdmins(db: Query, userId: string): Promise<number> {
  const row = await db
    .selectFrom('user_account')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('access_level', '=', 'admin')
    .where('disabled', '=', 0)
    .where('password_hash', '!=', '')
    .where('user_id', '!=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Notes a login: the time of the last one becomes that of the one before. */
export async function markLogin(db: Query, userId: string, at: number): Promise<void> {
  await db
    .updateTable('user_account')
    .set((e) => ({ previous_login_at: e.ref('most_recent_login_at'), most_recent_login_at: at }))
    .where('user_id', '=', userId)
    .execute()
}

/** Roles of this user, or of all. */
export function listRoles(db: Query, userId?: string): Promise<RoleRow[]> {
  const roles = db.selectFrom('user_flock').selectAll().orderBy('user_id').orderBy('flock_id')
  return (userId === undefined ? roles : roles.where('user_id', '=', userId)).execute()
}

export interface FlocksOfUser {
  readonly managed: readonly string[]
  readonly watched: readonly string[]
}

export const NO_FLOCKS: FlocksOfUser = { managed: [], watched: [] }

/** The Flocks in which the user has a role. */
export async function flocksOf(db: Query, userId: string): Promise<FlocksOfUser> {
  const roles = await listRoles(db, userId)
  const as = (role: FlockRole) => roles.filter((row) => row.role === role).map(({ flock_id }) => flock_id)
  return { managed: as('manager'), watched: as('watcher') }
}

/** Gives a user a role in a Flock, in place of the one that was. */
export const assignRole = (tx: Tx, userId: string, flockId: string, role: FlockRole): Promise<void> =>
  tx.insertMany('user_flock', [{ user_id: userId, flock_id: flockId, role }], {
    key: ['user_id', 'flock_id'],
    then: 'replace',
  })

/** Takes a user's role in a Flock away; false when there was none. */
export async function unassignRole(db: Query, userId: string, flockId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_flock')
    .where('user_id', '=', userId)
    .where('flock_id', '=', flockId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes every role in a Flock that is deleted. */
export async function removeRolesOfFlock(db: Query, flockId: string): Promise<void> {
  await db.deleteFrom('user_flock').where('flock_id', '=', flockId).execute()
}
