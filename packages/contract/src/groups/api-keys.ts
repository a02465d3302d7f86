// 4.14: global API keys, and the switch for all of them.
import Type from 'typebox'
import { note, oneOf, text } from '../fields.ts'
import { del, get, group, Nothing, post } from '../operation.ts'
import { consoleSwitch } from '../switches.ts'

const key_id = Type.String({ maxLength: 64 })
const settings = 'console'
const api = consoleSwitch('/settings/api', { stepUp: true })
const one = { key_id: '{key_id}' }

/** 2.9, with the extensions of this console: allowed addresses, expiry and time of the last use. */
const GlobalApiKey = Type.Object({
  auth_token: Type.String({ description: 'The key; asterisks if the console shows keys only once' }),
  auth_token_type: Type.String({ description: 'Indicators, Read-only, Analyst, Admin or Decoytoken-deploy' }),
  created: Type.String({ description: 'Time of creation, as readable text' }),
  created_by: text,
  key_id: text,
  note: text,
  allowed_ip_ranges: Type.String({
    description: 'Addresses that may use the key, separated by commas; empty for every address',
  }),
  expires: Type.String({ description: 'Time from which the key is refused; empty for never' }),
  last_used: text,
  flock_id: Type.Optional(Type.String({ description: 'Flock of a key of type Decoytoken-deploy' })),
})

const addParams = {
  auth_token_type: oneOf(['indicators', 'read-only', 'analyst', 'admin'], {
    description:
      'What the key may do; it cannot be changed later. Extension: `indicators` reads the list of sources and the TAXII collection alone',
  }),
  note,
  allowed_ip_ranges: Type.Optional(
    Type.String({
      maxLength: 10_000,
      separator: ',',
    }),
  ),
  expires: Type.Optional(
    Type.String({
      description:
        'Extension: time from which the key is refused, yyyy-mm-dd-hh:mm:ss (UTC), ISO 8601 or seconds since 1970',
      maxLength: 40,
    }),
  ),
}
const Added = Type.Object({ global_api_key: GlobalApiKey })
const addExample = { auth_token_type: 'read-only', note: 'Dashboard' }

const add = (path: string, deprecated: boolean) =>
  post(path, 'admin', 'console', 'Create an API key', addParams, Added, {
    settings,
    stepUp: true,
    example: addExample,
    deprecated,
  })
const remove = (path: string, deprecated: boolean) =>
  del(path, 'admin', 'console', 'Delete an API key; it is refused from then on', { key_id }, Nothing, {
    settings,
    stepUp: true,
    deprecated,
    example: one,
  })
const download = (path: string) =>
  get(path, 'admin', 'console', 'Download a configuration file with the key', { key_id }, Nothing, {
    deprecated: true,
    stepUp: true,
    answers: 'file',
    example: one,
  })

export const apiKeys = group('API keys', 'Keys for the API, and the switch that disables all of them.', {
  add: add('/auth_token/add', false),
  list: get(
    '/auth_token/list',
    'admin',
    'console',
    'List API keys',
    {},
    Type.Object({ global_api_keys: Type.Array(GlobalApiKey) }),
    { stepUp: true },
  ),
  remove: remove('/auth_token/remove', false),
  download: download('/auth_token/download'),
  addOld: add('/token/add', true),
  removeOld: remove('/token/remove', true),
  downloadOld: download('/token/download'),
  disableApi: api.disable('Disable all API keys'),
  enableApi: api.enable('Enable all API keys; while they are disabled, only `rookery api-switch on` can'),
})
