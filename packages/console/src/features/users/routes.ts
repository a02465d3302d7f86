// 4.16: who uses the console, and what they may do in which Flock.
import { users } from '@rookery/contract/groups/users.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { required } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { hashPassword } from '../../secrets/passwords.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { checkEmail, checkPassword, createUser, mustBeFree } from '../../stores/users/create.ts'
import {
  assignRole,
  changeUser,
  emailKey,
  findUser,
  findUserById,
  listRoles,
  listUsers,
  removeUser,
  unassignRole,
  type UserRow,
} from '../../stores/users/store.ts'
import { changesOf, matching, mustLeaveAnAdmin } from './model.ts'
import { filteredUser, listedUser, userRecord, userRights } from './views.ts'

const UNKNOWN = 'User not found'

export function usersRoutes({ reader, world }: Pick<AppContext, 'reader' | 'world'>): Route<Call>[] {
  const mustFind = async (db: Query, email: string): Promise<UserRow> =>
    required(await findUser(db, email.trim()), UNKNOWN)

  const person = async (db: Query, user: UserRow) => ({ user, roles: await listRoles(db, user.user_id) })

  /** Runs `work` on a user inside the change, and answers the user's new record. */
  const change = (call: Call, email: string, work: (tx: Tx, user: UserRow) => Promise<unknown>) =>
    call.change(async (tx) => {
      const user = await mustFind(tx.query, email)
      await work(tx, user)
      const now = required(await findUserById(tx.query, user.user_id), UNKNOWN)
      return { user: userRecord(await person(tx.query, now)) }
    })

  async function create(params: Params<typeof users.create>, call: Call) {
    const email = checkEmail(params.email)
    checkPassword(params.password)
    // Hashing is slow and runs outside the transaction, so a taken address is refused first.
    await mustBeFree(reader, email)
    const password_hash = await hashPassword(world.random, params.password)
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
    if (password !== undefined) checkPassword(password)
    await mustFind(reader, email)
    const password_hash = password === undefined ? undefined : await hashPassword(world.random, password)
    return change(call, email, async (tx, user) => {
      if (access_level === 'user') await mustLeaveAnAdmin(tx, user)
      if (address !== undefined && emailKey(address) !== user.email_key) await mustBeFree(tx.query, address)
      await changeUser(tx.query, user.user_id, {
        ...changesOf(params),
        ...(access_level !== undefined && { access_level }),
        ...(address !== undefined && { email: address, email_key: emailKey(address) }),
        ...(password_hash !== undefined && { password_hash }),
      })
    })
  }

  return implement(users, {
    create,
    update,
    async read({ email }) {
      return { user: userRecord(await person(reader, await mustFind(reader, email))) }
    },
    async rights({ email }) {
      return userRights(await person(reader, await mustFind(reader, email)))
    },
    async filter({ filter_str }) {
      return { users: (await listUsers(reader)).filter(matching(filter_str)).map(filteredUser) }
    },
    async list() {
      const rolesOf = Map.groupBy(await listRoles(reader), ({ user_id }) => user_id)
      const all = await listUsers(reader)
      return { users: all.map((user) => listedUser({ user, roles: rolesOf.get(user.user_id) ?? [] })) }
    },
    async ofFlock({ flock_id }, { caller }: Call) {
      await existingFlock(reader, caller.scope, flock_id)
      const rolesOf = Map.groupBy(await listRoles(reader), ({ user_id }) => user_id)
      const found = (await listUsers(reader)).flatMap((user) => {
        const roles = rolesOf.get(user.user_id) ?? []
        const here = roles.find((role) => role.flock_id === flock_id)
        return here ? [{ ...listedUser({ user, roles }), role: here.role }] : []
      })
      return { users: found }
    },
    disable: ({ email }, call: Call) =>
      change(call, email, async (tx, user) => {
        await mustLeaveAnAdmin(tx, user)
        await changeUser(tx.query, user.user_id, { disabled: 1 })
      }),
    enable: ({ email }, call: Call) =>
      change(call, email, (tx, user) => changeUser(tx.query, user.user_id, { disabled: 0 })),
    remove: ({ email }, call: Call) =>
      call.change(async (tx) => {
        const user = await mustFind(tx.query, email)
        await mustLeaveAnAdmin(tx, user)
        const last = userRecord(await person(tx.query, user))
        await removeUser(tx.query, user.user_id)
        return { user: last }
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
