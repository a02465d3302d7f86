// Verifies an address and a password, in the same time whether the user exists or not.
import type { Query, Tx } from '../../db/query.ts'
import { isPassword } from '../../secrets/passwords.ts'
import { findUser, findUserById, type UserRow } from './store.ts'

/**
 * The user with this address and password; undefined for an unknown address, a wrong password, and a user who is
 * disabled or may not log in directly. A caller that opens a session calls `markLogin`. Throws `too-many` while too many
 * passwords are being checked; who `isKnown` goes before strangers.
 */
export async function verifyPassword(
  reader: Query,
  email: string,
  password: string,
  isKnown = false,
): Promise<UserRow | undefined> {
  const stored = (await findUser(reader, email))?.password_hash ?? ''
  if (!(await isPassword(password, stored, isKnown))) return undefined
  // Deriving took a while: the user may have changed meanwhile.
  return ifUnchanged(await findUser(reader, email), stored)
}

/** Whether a verified user still is, asked inside the transaction of what the password opens. */
export const isStillVerified = async (
  tx: Tx,
  { user_id, password_hash }: Pick<UserRow, 'user_id' | 'password_hash'>,
): Promise<boolean> => ifUnchanged(await findUserById(tx.query, user_id), password_hash) !== undefined

const ifUnchanged = (user: UserRow | undefined, hash: string): UserRow | undefined =>
  user?.password_hash === hash && user.disabled === 0 && user.no_direct_login === 0 ? user : undefined
