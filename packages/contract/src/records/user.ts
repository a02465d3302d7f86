// A user in the forms of 2.9: alone, in lists, and as a set of rights.
import Type from 'typebox'

const text = Type.String()
const flag = Type.Boolean()
const flagText = Type.String({ description: 'True or False' })

const preferences = {
  custom_flock_icons_enabled: flag,
  page_transitions_enabled: flag,
  seasonal_effects_enabled: flag,
  summary_email_enabled: flag,
}

/** 2.9, get. */
export const User = Type.Object({
  access_level: text,
  ...preferences,
  disabled: Type.Boolean({ description: 'Whether the user is disabled' }),
  email: text,
  id: Type.String({ description: 'Id of the user' }),
  managed_flocks: text,
  most_recent_login_time: text,
  no_direct_login: flag,
  note: text,
  previous_login_time: text,
  saml_provisioned: flag,
  supervisor: flag,
  totp_enabled: flag,
  watched_flocks: text,
  webauthn_credential: text,
  webauthn_enabled: flag,
})

/** 2.9, auth. */
export const UserRights = Type.Object({
  access_level: Type.Integer({ description: '1 for an admin, 0 for a user' }),
  email: text,
  is_sso_login: flag,
  managed_flocks: Type.Array(text),
  saml_login: flag,
  watched_flocks: Type.Array(text),
})

/** 2.9, filter: flags are texts. */
export const FilteredUser = Type.Object({
  access_level: text,
  disabled: flagText,
  email: text,
  id: Type.String({ description: 'Id of the user' }),
  note: text,
  supervisor: flagText,
  totp_enabled: flagText,
})

/** 2.9, list. */
export const ListedUser = Type.Object({
  ...FilteredUser.properties,
  managed_flocks: text,
  watched_flocks: text,
  webauthn_enabled: flag,
  most_recent_login_time: text,
  has_password: Type.Boolean({ description: 'False for who was invited and has not answered yet' }),
})
