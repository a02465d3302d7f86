// The operations that only read: one user, lists of users, and the users of a Flock.
import type { users } from '@rookery/contract/groups/users.ts'
import type { Handlers } from '@rookery/contract/implement.ts'
import { required } from '@rookery/kernel/fault.ts'
import type { Query } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import {
  findUser,
  findUserById,
  listRoles,
  listUsers,
  type RoleRow,
  type UserRow,
} from '../../stores/users/store.ts'
import { matching } from './model.ts'
import { filteredUser, listedUser, userRecord, userRights } from './views.ts'

const UNKNOWN = 'User not found'

export const mustFind = async (db: Query, email: string): Promise<UserRow> =>
  required(await findUser(db, email.trim()), UNKNOWN)

export const mustFindById = async (db: Query, userId: UserRow['user_id']): Promise<UserRow> =>
  required(await findUserById(db, userId), UNKNOWN)

/** The user with the roles that they have in Flocks. */
export const withRoles = async (db: Query, user: UserRow) => ({
  user,
  roles: await listRoles(db, user.user_id),
})

export const userQueries = (reader: Query) =>
  ({
    async read({ email }) {
      return { user: userRecord(await withRoles(reader, await mustFind(reader, email))) }
    },
    async rights({ email }) {
      return userRights(await withRoles(reader, await mustFind(reader, email)))
    },
    async filter({ filter_str, limit }) {
      const found = (await listUsers(reader)).filter(matching(filter_str)).slice(0, limit)
      return { users: found.map(filteredUser) }
    },
    async list() {
      const rolesOf = Map.groupBy(await listRoles(reader), ({ user_id }) => user_id)
      const all = await listUsers(reader)
      return { users: all.map((user) => listedUser({ user, roles: rolesOf.get(user.user_id) ?? [] })) }
    },
    async ofFlock({ flock_id }, { caller }) {
      await existingFlock(reader, caller.scope, flock_id)
      const rolesOf = Map.groupBy(await listRoles(reader), ({ user_id }) => user_id)
      const isInReach = (role: RoleRow) => caller.scope === 'all' || caller.scope.includes(role.flock_id)
      const found = (await listUsers(reader)).flatMap((user) => {
        const roles = rolesOf.get(user.user_id) ?? []
        const here = roles.find((role) => role.flock_id === flock_id)
        return here ? [{ ...listedUser({ user, roles: roles.filter(isInReach) }), role: here.role }] : []
      })
      return { users: found }
    },
  }) satisfies Partial<Handlers<typeof users, Call>>
