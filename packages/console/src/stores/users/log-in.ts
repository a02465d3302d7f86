// Verifies an address and a password, in the same time whether the user exists or not.
import type { Query } from '../../db/query.ts'
import { isPassword } from '../../secrets/passwords.ts'
import { findUser, type UserRow } from './store.ts'

/**
 * The user with this address and password; undefined for an unknown address, a wrong password, and a user who is
 * disabled or may not log in directly. A caller that opens a session calls `markLogin`. Throws `too-many` while too many
 * passwords are being checked.
 */
export async function verifyPassword(
  reader: Query,
  email: string,
  password: string,
): Promise<UserRow | undefined> {
  const stored = (await findUser(reader, email))?.password_hash ?? ''
  if (!(await isPassword(password, stored))) return undefined
  // Deriving took a while: the user may have changed meanwhile.
  const user = await findUser(reader, email)
  return user?.password_hash === stored && user.disabled === 0 && user.no_direct_login === 0
    ? user
    : undefined
}
