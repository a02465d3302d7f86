// Which columns of a user a call may change, and the rule that one admin always remains.
import type { users } from '@rookery/contract/groups/users.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query, Tx } from '../../db/query.ts'
import { endSessionsOf } from '../../stores/sessions/store.ts'
import { removeTicketsOf } from '../../stores/tickets/store.ts'
import { countOtherAdmins, type UserChange, type UserRow } from '../../stores/users/store.ts'

const FLAGS = [
  'supervisor',
  'no_direct_login',
  'summary_email_enabled',
  'custom_flock_icons_enabled',
  'page_transitions_enabled',
  'seasonal_effects_enabled',
] as const

/** The note and the flags among the parameters, as columns. */
export function changesOf(params: Partial<Params<typeof users.update>>): UserChange {
  const flags = FLAGS.flatMap((flag) => (params[flag] === undefined ? [] : [[flag, Number(params[flag])]]))
  const { note } = params
  return {
    ...(Object.fromEntries(flags) as UserChange),
    ...(note !== undefined && { note: note.trim() === '' ? '' : note }),
  }
}

/** Throws `conflict` when this user is the last admin who is not disabled. */
export async function mustLeaveAnAdmin(tx: Tx, user: UserRow): Promise<void> {
  if (user.access_level !== 'admin' || user.disabled === 1) return
  if ((await countOtherAdmins(tx.query, user.user_id)) > 0) return
  throw new Fault('conflict', `${user.email} is the last admin who can log in. Make another one first.`)
}

/** Ends the sessions of a user, and the links by which they could sign in. */
export async function shutOut(db: Query, userId: string): Promise<void> {
  await endSessionsOf(db, userId)
  await removeTicketsOf(db, userId)
}

/** Whether the address or the note contains the text; upper and lower case are equal. */
export function matching(text: string): (user: UserRow) => boolean {
  const wanted = text.toLowerCase()
  return ({ email, note }) => [email, note].some((known) => known.toLowerCase().includes(wanted))
}
