// 4.16: who uses the console, and what they may do in which Flock.
import { users } from '@rookery/contract/groups/users.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { required } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { hashPassword } from '../../secrets/passwords.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { removeFactors } from '../../stores/factors/store.ts'
import { removePreferences } from '../../stores/preferences/store.ts'
import { endSessionsOf } from '../../stores/sessions/store.ts'
import { removeTicketsOf } from '../../stores/tickets/store.ts'
import { checkEmail, checkPassword, createUser, mustBeFree } from '../../stores/users/create.ts'
import {
  assignRole,
  changeUser,
  emailKey,
  removeUser,
  unassignRole,
  type UserRow,
} from '../../stores/users/store.ts'
import { invite, resetLink } from './links.ts'
import { changesOf, mustLeaveAnAdmin, shutOut } from './model.ts'
import { mustFind, mustFindById, userQueries, withRoles } from './queries.ts'
import { userRecord } from './views.ts'

export function usersRoutes({
  reader,
  world,
  passwordCost,
}: Pick<AppContext, 'reader' | 'world' | 'passwordCost'>): Route<Call>[] {
  /** Runs `work` on a user inside the change, and answers the user's new record. */
  const change = (call: Call, email: string, work: (tx: Tx, user: UserRow) => Promise<unknown>) =>
    call.change(async (tx) => {
      const user = await mustFind(tx.query, email)
      await work(tx, user)
      const now = await mustFindById(tx.query, user.user_id)
      return { user: userRecord(await withRoles(tx.query, now)) }
    })

  async function create(params: Params<typeof users.create>, call: Call) {
    const email = checkEmail(params.email)
    await checkPassword(params.password, email)
    // Hashing is slow and runs outside the transaction, so a taken address is refused first.
    await mustBeFree(reader, email)
    const password_hash = await hashPassword(world.random, params.password, passwordCost)
    const { access_level } = params
    const user = await call.change(async (tx) => {
      const made = await createUser(tx, world, { email, password_hash, access_level, ...changesOf(params) })
      call.note({ user_id: made.user_id })
      return made
    })
    return { user: userRecord({ user, roles: [] }) }
  }

  async function update(params: Params<typeof users.update>, call: Call) {
    const { email, new_email, password, access_level } = params
    const address = new_email === undefined ? undefined : checkEmail(new_email, 'new_email')
    const user = await mustFind(reader, email)
    if (password !== undefined) await checkPassword(password, address ?? user.email)
    const password_hash =
      password === undefined ? undefined : await hashPassword(world.random, password, passwordCost)
    return change(call, email, async (tx, user) => {
      if (access_level === 'user') await mustLeaveAnAdmin(tx, user)
      const moves = address !== undefined && emailKey(address) !== user.email_key
      if (moves) {
        await mustBeFree(tx.query, address)
        // They were mailed to the reader of the old address.
        await removeTicketsOf(tx.query, user.user_id)
      }
      await changeUser(tx.query, user.user_id, {
        ...changesOf(params),
        ...(access_level !== undefined && { access_level }),
        ...(address !== undefined && { email: address, email_key: emailKey(address) }),
        ...(password_hash !== undefined && { password_hash }),
      })
      if (password !== undefined || params.no_direct_login) await shutOut(tx.query, user.user_id)
    })
  }

  return implement(users, {
    create,
    update,
    ...userQueries(reader),
    disable: ({ email }, call: Call) =>
      change(call, email, async (tx, user) => {
        await mustLeaveAnAdmin(tx, user)
        await changeUser(tx.query, user.user_id, { disabled: 1 })
        await shutOut(tx.query, user.user_id)
      }),
    enable: ({ email }, call: Call) =>
      change(call, email, (tx, user) => changeUser(tx.query, user.user_id, { disabled: 0 })),
    remove: ({ email }, call: Call) =>
      call.change(async (tx) => {
        const user = await mustFind(tx.query, email)
        await mustLeaveAnAdmin(tx, user)
        const last = userRecord(await withRoles(tx.query, user))
        await removeFactors(tx, user.user_id)
        await removePreferences(tx.query, user.user_id)
        await removeUser(tx.query, user.user_id)
        await shutOut(tx.query, user.user_id)
        return { user: last }
      }),
    invite: (params, call: Call) => invite({ world }, params, call),
    resetLink: (params, call: Call) => resetLink({ world }, params, call),
    endSessions: ({ email }, call: Call) =>
      call.change(async (tx) => ({
        count: await endSessionsOf(tx.query, (await mustFind(tx.query, email)).user_id),
      })),
    resetFactors: ({ email }, call: Call) =>
      change(call, email, async (tx, { user_id }) => {
        await removeFactors(tx, user_id)
        await endSessionsOf(tx.query, user_id)
      }),
    assign: ({ email, flock_id, role }, call: Call) =>
      change(call, email, async (tx, user) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        await assignRole(tx, user.user_id, flock_id, role)
      }),
    unassign: ({ email, flock_id }, call: Call) =>
      change(call, email, async (tx, user) => {
        const had = await unassignRole(tx.query, user.user_id, flock_id)
        required(had || undefined, `${user.email} has no role in this Flock.`)
      }),
  })
}
