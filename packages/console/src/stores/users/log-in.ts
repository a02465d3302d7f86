// Is it this user? An address and a password, judged in the same time whether there is such a user or not.
import type { Query } from '../../db/query.ts'
import { isPassword } from '../../secrets/passwords.ts'
import { findUser, type UserRow } from './store.ts'

/**
 * The user with this address and password; undefined for an unknown address, a wrong password, and a user who is
 * disabled or may not log in directly. Whoever opens a session notes the login by `markLogin`. Throws `too-many` when
 * more log in than the machine can follow.
 */
export async function verifyPassword(
  reader: Query,
  email: string,
  password: string,
): Promise<UserRow | undefined> {
  const kept = (await findUser(reader, email))?.password_hash ?? ''
  if (!(await isPassword(password, kept))) return undefined
  // Deriving took a while: what counts is what the user may do now.
  const user = await findUser(reader, email)
  return user?.password_hash === kept && user.disabled === 0 && user.no_direct_login === 0 ? user : undefined
}
