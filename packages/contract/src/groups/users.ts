// 4.16: the people who use the console. Creating and changing them is an extension.
import Type from 'typebox'
import { flag, flock_id, mostFound, oneOf, secret, text, withDefault } from '../fields.ts'
import { del, get, group, post } from '../operation.ts'
import { FilteredUser, ListedUser, User, UserRights } from '../records/user.ts'
import { readFlock } from '../switches.ts'

const email = Type.String({ maxLength: 254 })
const password = secret(
  Type.String({
    maxLength: 2_000,
    description: 'At least 12 characters, and not easy to guess; stored only as a hash',
    format: 'password',
  }),
)
const access_level = oneOf(['admin', 'user'])

const changeable = {
  note: Type.Optional(Type.String({ maxLength: 10_000, description: 'Free text; a blank clears it' })),
  supervisor: Type.Optional(flag),
  no_direct_login: Type.Optional(flag),
  summary_email_enabled: Type.Optional(flag),
  custom_flock_icons_enabled: Type.Optional(flag),
  page_transitions_enabled: Type.Optional(flag),
  seasonal_effects_enabled: Type.Optional(flag),
}

const role = oneOf(['manager', 'watcher'])

const Link = Type.Object({
  url: Type.String({ description: 'The link, shown only now; it works once' }),
  expires: Type.Integer({ description: 'When it ends, epoch seconds' }),
  mailed: Type.Boolean({ description: 'Whether the mail server took it for the user' }),
  mail_reason: Type.String({ description: 'Why it was not mailed; empty if it was' }),
})
const OneUser = Type.Object({ user: { ...User, description: 'The user' } })
const settings = 'console'
const example = { email: '{email}' }

export const users = group('Users', 'The people who use the console, and their roles in Flocks.', {
  read: get('/user/get', 'read-only', 'console', 'Read a user', { email }, OneUser, { example }),
  rights: get('/user/auth', 'read-only', 'console', 'Read what a user may do', { email }, UserRights, {
    example,
  }),
  filter: get(
    '/users/filter',
    'read-only',
    'console',
    'Find users by part of their address or note',
    {
      filter_str: Type.String({ maxLength: 1000, description: 'Part of the address or note, in any case' }),
      limit: mostFound,
    },
    Type.Object({ users: Type.Array(FilteredUser) }),
    { example: { filter_str: 'example.com', limit: 5 } },
  ),
  list: get(
    '/users/list',
    'read-only',
    'console',
    'List the users with their Flocks',
    {},
    Type.Object({ users: Type.Array(ListedUser) }),
  ),
  ofFlock: readFlock(
    '/flock/users',
    'List the users who have a role in a Flock',
    Type.Object({ users: Type.Array(Type.Object({ ...ListedUser.properties, role: text })) }),
  ),
  create: post(
    '/user/create',
    'admin',
    'console',
    'Create a user',
    { email, password, access_level: withDefault(access_level, 'user'), ...changeable },
    OneUser,
    {
      settings,
      stepUp: true,
      example: {
        email: '{new_email}',
        password: 'kestrel over the harbour',
        access_level: 'user',
        note: 'Night shift',
      },
    },
  ),
  update: post(
    '/user/update',
    'admin',
    'console',
    'Change a user; what is not given stays as it is',
    {
      email,
      new_email: Type.Optional(email),
      password: Type.Optional(password),
      access_level: Type.Optional(access_level),
      ...changeable,
    },
    OneUser,
    { settings, stepUp: true, example: { email: '{email}', note: 'Day shift', summary_email_enabled: true } },
  ),
  disable: post('/user/disable', 'admin', 'console', 'Disable a user', { email }, OneUser, {
    settings,
    stepUp: true,
    example,
  }),
  enable: post('/user/enable', 'admin', 'console', 'Enable a disabled user', { email }, OneUser, {
    settings,
    stepUp: true,
    example,
  }),
  remove: del('/user/delete', 'admin', 'console', 'Delete a user', { email }, OneUser, {
    settings,
    stepUp: true,
    example,
  }),
  invite: post(
    '/user/invite',
    'admin',
    'console',
    'Invite a person: they choose a password by the link, which is mailed where mail is set',
    {
      email,
      access_level: withDefault(access_level, 'user'),
      flock_id: Type.Optional(flock_id),
      role: withDefault(role, 'watcher'),
    },
    Link,
    {
      settings,
      stepUp: true,
      example: { email: '{new_email}', flock_id: 'flock:default', role: 'watcher' },
    },
  ),
  resetLink: post(
    '/user/reset_link',
    'admin',
    'console',
    'Make a link by which a user chooses a new password; mailed where mail is set',
    { email },
    Link,
    { settings, stepUp: true, example },
  ),
  endSessions: post(
    '/user/end_sessions',
    'admin',
    'console',
    'End all sessions of a user',
    { email },
    Type.Object({ count: Type.Integer({ minimum: 0, description: 'How many sessions ended' }) }),
    { settings, stepUp: true, example },
  ),
  resetFactors: post(
    '/user/reset_factors',
    'admin',
    'console',
    'Remove the second factors of a user and end their sessions: they sign in by the password alone',
    { email },
    OneUser,
    { settings, stepUp: true, example },
  ),
  assign: post(
    '/user/flock/assign',
    'admin',
    'console',
    'Give a user a role in a Flock; it replaces the previous one',
    { email, flock_id, role },
    OneUser,
    {
      settings: 'flock',
      stepUp: true,
      example: { email: '{email}', flock_id: 'flock:default', role: 'watcher' },
    },
  ),
  unassign: post(
    '/user/flock/unassign',
    'admin',
    'console',
    'Remove the role of a user in a Flock',
    { email, flock_id },
    OneUser,
    { settings: 'flock', stepUp: true, example: { email: '{flock_user_email}', flock_id: 'flock:default' } },
  ),
})
