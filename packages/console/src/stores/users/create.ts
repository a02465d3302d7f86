// A new user, and what an address and a password must be like.
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Query, Tx } from '../../db/query.ts'
import { findWeakness } from '../../secrets/password-strength.ts'
import { MAX_PASSWORD, MIN_PASSWORD } from '../../secrets/passwords.ts'
import { addUser, findUser, findUserById, type NewUser, type UserRow } from './store.ts'

const EMAIL = /^[^@\s\p{C}]+@[^@\s\p{C}]+$/u
/** RFC 5321, 4.5.3.1.3: a path of 256 characters, less its brackets. */
const MAX_EMAIL = 254

/** The address without blanks around it; what is none is a `bad-input`. */
export function checkEmail(email: string, parameter = 'email'): string {
  const address = email.trim()
  if (!EMAIL.test(address) || address.length > MAX_EMAIL) {
    const shown = JSON.stringify(email.slice(0, 60))
    throw invalidParameter(parameter, `must be an e-mail address, such as ann@example.com, not ${shown}`)
  }
  return address
}

/** Throws `bad-input` for a password of the user `email` that is too short, too long, or easy to guess. */
export async function checkPassword(password: string, email: string, parameter = 'password'): Promise<void> {
  const { length } = [...password]
  if (length < MIN_PASSWORD || length > MAX_PASSWORD) {
    throw invalidParameter(
      parameter,
      `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters, not ${length}`,
    )
  }
  const weakness = await findWeakness(password, email)
  if (weakness !== undefined) throw invalidParameter(parameter, weakness)
}

/** Throws `conflict` when there is a user with this address. */
export async function mustBeFree(db: Query, email: string): Promise<void> {
  if (await findUser(db, email)) throw new Fault('conflict', `There is a user ${email} already.`)
}

/** Stores a user whose address and password were checked; answers the row. */
export async function createUser(
  tx: Tx,
  { clock, random }: Pick<World, 'clock' | 'random'>,
  user: Omit<NewUser, 'user_id' | 'created_at'>,
): Promise<UserRow> {
  await mustBeFree(tx.query, user.email)
  const user_id = `user:${hex(random, 32)}`
  await addUser(tx, { ...user, user_id, created_at: clock.now() })
  return required(await findUserById(tx.query, user_id), 'User not found')
}
