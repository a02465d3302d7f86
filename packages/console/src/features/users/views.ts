// Users as the wire shows them (2.9).
import { std } from '@rookery/kernel/time.ts'
import type { RoleRow, UserRow } from '../../stores/users/store.ts'
import type { FlockRole } from '../../stores/users/tables.ts'

/** A user with all roles in Flocks. */
export interface Person {
  readonly user: UserRow
  readonly roles: readonly RoleRow[]
}

export const userRecord = ({ user, roles }: Person) => ({
  access_level: user.access_level,
  custom_flock_icons_enabled: user.custom_flock_icons_enabled === 1,
  disabled: user.disabled === 1,
  email: user.email,
  id: user.user_id,
  managed_flocks: flocksOf(roles, 'manager').join(','),
  most_recent_login_time: timeOf(user.most_recent_login_at),
  no_direct_login: user.no_direct_login === 1,
  note: user.note,
  page_transitions_enabled: user.page_transitions_enabled === 1,
  previous_login_time: timeOf(user.previous_login_at),
  saml_provisioned: user.saml_provisioned === 1,
  seasonal_effects_enabled: user.seasonal_effects_enabled === 1,
  summary_email_enabled: user.summary_email_enabled === 1,
  supervisor: user.supervisor === 1,
  totp_enabled: user.totp_enabled === 1,
  watched_flocks: flocksOf(roles, 'watcher').join(','),
  webauthn_credential: user.webauthn_credential,
  webauthn_enabled: user.webauthn_enabled === 1,
})

export const userRights = ({ user, roles }: Person) => ({
  access_level: user.access_level === 'admin' ? 1 : 0,
  email: user.email,
  is_sso_login: user.no_direct_login === 1,
  managed_flocks: flocksOf(roles, 'manager'),
  saml_login: user.saml_provisioned === 1,
  watched_flocks: flocksOf(roles, 'watcher'),
})

export const filteredUser = (user: UserRow) => ({
  access_level: user.access_level,
  disabled: yes(user.disabled),
  email: user.email,
  id: user.user_id,
  note: user.note,
  supervisor: yes(user.supervisor),
  totp_enabled: yes(user.totp_enabled),
})

export const listedUser = ({ user, roles }: Person) => ({
  ...filteredUser(user),
  managed_flocks: flocksOf(roles, 'manager').join(','),
  watched_flocks: flocksOf(roles, 'watcher').join(','),
  webauthn_enabled: user.webauthn_enabled === 1,
  most_recent_login_time: timeOf(user.most_recent_login_at),
  has_password: user.password_hash !== '',
})

const flocksOf = (roles: readonly RoleRow[], role: FlockRole): string[] =>
  roles.filter((row) => row.role === role).map((row) => row.flock_id)

const timeOf = (at: number | null): string => (at === null ? '' : std(at))

const yes = (flag: number): string => (flag === 1 ? 'True' : 'False')
