// 4.14: global API keys and the switch of the whole API.
import Type from 'typebox'
import { note, text } from '../fields.ts'
import { del, get, group, Nothing, post } from '../operation.ts'

const key_id = Type.String({ maxLength: 64 })
const settings = 'console'
const one = { params: { key_id: '{key_id}' } }

/** 2.9, with what this console adds: where it may be used from, until when, and when it was used last. */
const GlobalApiKey = Type.Object({
  auth_token: Type.String({ description: 'The key; asterisks on a console that shows keys once' }),
  auth_token_type: Type.String({ description: 'Read-only, Analyst, Admin or Decoytoken-deploy' }),
  created: Type.String({ description: 'When it was made, for people' }),
  created_by: text,
  key_id: text,
  note: text,
  allowed_ip_ranges: Type.String({ description: 'Separated by commas; empty admits every address' }),
  expires: Type.String({ description: 'Empty for a key that does not expire' }),
  last_used: text,
  flock_id: Type.Optional(Type.String({ description: 'The Flock of a deploy key' })),
})

const addParams = {
  auth_token_type: Type.Union([Type.Literal('read-only'), Type.Literal('analyst'), Type.Literal('admin')], {
    description: 'What the key may do; fixed once made',
  }),
  note,
  allowed_ip_ranges: Type.Optional(
    Type.String({
      maxLength: 10_000,
      separator: ',',
    }),
  ),
  expires: Type.Optional(
    Type.String({ description: 'Extension: when it stops working, yyyy-mm-dd-hh:mm:ss, UTC', maxLength: 40 }),
  ),
}
const Added = Type.Object({ global_api_key: GlobalApiKey })
const addExample = { params: { auth_token_type: 'read-only', note: 'Dashboard' } }

const add = (path: string, deprecated: boolean) =>
  post(path, 'admin', 'Make an API key', addParams, Added, {
    settings,
    example: addExample,
    deprecated,
  })
const remove = (path: string, deprecated: boolean) =>
  del(path, 'admin', 'Remove an API key; it stops working at once', { key_id }, Nothing, {
    settings,
    deprecated,
    example: one,
  })
const download = (path: string) =>
  get(path, 'admin', 'Download a configuration file that holds a key', { key_id }, Nothing, {
    deprecated: true,
    answers: 'file',
    example: one,
  })

export const apiKeys = group('API keys', 'Who may use the API, and the switch of the whole API.', {
  add: add('/auth_token/add', false),
  list: get(
    '/auth_token/list',
    'admin',
    'List API keys',
    {},
    Type.Object({ global_api_keys: Type.Array(GlobalApiKey) }),
  ),
  remove: remove('/auth_token/remove', false),
  download: download('/auth_token/download'),
  addOld: add('/token/add', true),
  removeOld: remove('/token/remove', true),
  downloadOld: download('/token/download'),
  disableApi: post('/settings/api/disable', 'admin', 'Shut every API key out', {}, Nothing, { settings }),
  enableApi: post(
    '/settings/api/enable',
    'admin',
    'Let API keys in again; by the API only while they are let in',
    {},
    Nothing,
    { settings },
  ),
})
