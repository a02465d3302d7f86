// Extension: tokens are created, found, changed and deleted with an API key.
import Type from 'typebox'
import {
  commaList,
  count,
  csvFile,
  cursor,
  flag,
  flock_id,
  flockOrDefault,
  memo,
  oneOf,
  secret,
  text,
  tz,
  withDefault,
} from '../fields.ts'
import { del, get, group, Nothing, post } from '../operation.ts'
import { Cursor } from '../records/incident.ts'
import { changeableKindSettings, exampleKind, kindSettings } from '../records/kind-settings.ts'
import { Created, custom_domain, decoytoken, kind, Token, tokenCare, TokenTouch } from '../records/token.ts'
import { TokenTestStep } from '../records/token-test.ts'
import { TokenKindFacts } from '../records/token-kind.ts'
import { TokenChannel } from '../records/token-channel.ts'
import { TokenProvider } from '../records/token-provider.ts'

const limit = Type.Optional(Type.Integer({ minimum: 1 }))
const ofFlock = Type.Optional({ ...flock_id, description: 'Only the tokens of this Flock' })
const Listed = Type.Array(Token)

const One = Type.Object({ decoytoken: Token })
const theToken = { decoytoken: '{decoytoken}' }
const switchTo = (verb: string, title: string) =>
  post(`/decoytoken/${verb}`, 'admin', 'flock', title, { decoytoken }, One, { example: theToken })

export const tokens = group('Tokens', 'Tokens are created, found, changed and deleted.', {
  create: post(
    '/decoytoken/create',
    'admin',
    'flock',
    'Create a token with an API key',
    { memo, kind, flock_id: flockOrDefault, custom_domain, ...tokenCare, ...kindSettings },
    Created,
    {
      example: { memo: 'Wiki page of the finance team', kind: exampleKind, flock_id: 'flock:default' },
    },
  ),
  createMany: post(
    '/decoytokens/create',
    'admin',
    'flock',
    'Create up to 10,000 tokens from a CSV, none if a row is wrong',
    {
      csv: {
        ...secret(csvFile),
        description:
          'Columns kind and memo, and any of flock_id, custom_domain and the settings of kinds, in any order; the first row names them. Files cannot be in it',
      },
      flock_id: { ...flockOrDefault, description: 'Flock of the rows without a flock_id of their own' },
      batch_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'Name of the batch: repeated with the same rows, as after a 503 that left it half done, it creates only the tokens that are missing; default: made of the CSV, so that the same CSV creates nothing twice',
        }),
      ),
    },
    Nothing,
    {
      answers: 'file',
      example: { csv: `kind,memo\n${exampleKind},Wiki page of the finance team` },
    },
  ),
  update: post(
    '/decoytoken/update',
    'admin',
    'flock',
    'Change the memo or the settings of a token',
    {
      decoytoken,
      memo: Type.Optional(memo),
      ...tokenCare,
      clear_quiet_sources: withDefault(
        Type.Boolean({ description: 'Take no source as quiet any more' }),
        false,
      ),
      clear_placement: withDefault(
        Type.Boolean({ description: 'Remove the note of where the token was put' }),
        false,
      ),
      ...changeableKindSettings,
    },
    One,
    {
      example: { decoytoken: '{decoytoken}', memo: 'Moved to the new wiki' },
    },
  ),
  enable: switchTo('enable', 'Enable a token: touches raise incidents'),
  disable: switchTo('disable', 'Disable a token: touches raise no incident'),
  selfTest: post(
    '/decoytoken/selftest',
    'admin',
    'flock',
    'Touch a token from the console itself, and say how far each touch came',
    {
      decoytoken,
      alert: withDefault(
        Type.Boolean({ description: 'Raise an incident and its alerts, to test the receivers, too' }),
        false,
      ),
    },
    Type.Object({
      passed: Type.Boolean({ description: 'Whether all steps went well' }),
      incident: Type.Union([text, Type.Null()], { description: 'Key of the incident, with alert; or null' }),
      steps: Type.Array(TokenTestStep, { description: 'In their order; a channel ends at what fails' }),
    }),
    { example: theToken },
  ),
  remove: del(
    '/decoytoken/delete',
    'admin',
    'flock',
    'Delete a token; later touches raise no incident, and its incidents stay',
    { decoytoken },
    One,
    { example: theToken },
  ),
  fetch: get(
    '/decoytoken/fetch',
    'read-only',
    'flock',
    'Read a token',
    { decoytoken },
    Type.Object({ token: Token }),
    { example: theToken },
  ),
  history: get(
    '/decoytoken/history',
    'read-only',
    'flock',
    'List the touches of a token, newest first, those that raised no incident included',
    {
      decoytoken,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, description: 'How many in a page, at most 1,000; default: 100' }),
      ),
      cursor,
      format: withDefault(
        oneOf(['json', 'csv'], {
          description: 'json: a page; csv: all touches as a file, in which no cell is a formula',
        }),
        'json',
      ),
      tz,
    },
    Type.Object({
      history: Type.Array(TokenTouch, {
        description: 'Events of its 10,000 newest incidents, and its last 100 quiet touches',
      }),
      cursor: { ...Cursor, description: 'Leads to older touches; prev is always null' },
    }),
    {
      answers: 'file',
      example: { decoytoken: '{decoytoken}', format: 'csv', tz: 'Europe/Berlin' },
      readsLong: true,
    },
  ),
  download: get(
    '/decoytoken/download',
    'read-only',
    'flock',
    'Download the file of a token with an API key',
    { decoytoken },
    Nothing,
    { answers: 'file', example: { decoytoken: '{file_token}' } },
  ),
  kinds: get(
    '/decoytokens/list',
    'read-only',
    'everybody',
    'List the kinds of tokens, with an API key',
    {},
    Type.Object({ decoytokens: Type.Record(text, text, { description: 'Kind to display name' }) }),
  ),
  kindFacts: get(
    '/decoytokens/kinds',
    'read-only',
    'everybody',
    'List the kinds of tokens: what fires each, what it takes, and what it lacks here',
    {},
    Type.Object({
      kinds: Type.Record(text, TokenKindFacts, { description: 'Kind to what there is to know of it' }),
    }),
  ),
  channels: get(
    '/decoytokens/channels',
    'read-only',
    'everybody',
    'List the channels and providers by which touches of tokens come in, and what is missing',
    {},
    Type.Object({
      channels: Type.Array(TokenChannel, { description: 'The channels, by name' }),
      providers: Type.Array(TokenProvider, { description: 'The providers, by name' }),
    }),
  ),
  ofFlock: get(
    '/decoytokens/fetch',
    'read-only',
    'flock',
    'List all tokens, or those of a Flock, oldest first',
    { flock_id: ofFlock },
    Type.Object({ tokens: Listed }),
    { example: { flock_id: 'flock:default' } },
  ),
  paginate: get(
    '/decoytokens/paginate',
    'read-only',
    'flock',
    'List tokens page by page, oldest first',
    { flock_id: ofFlock, limit, cursor },
    Type.Object({ cursor: Cursor, tokens: Listed, page_num: count, page_total: count }),
    { example: { limit: 50 } },
  ),
  search: get(
    '/decoytokens/search',
    'read-only',
    'flock',
    'Search tokens, newest first',
    {
      filter_str: Type.Optional(
        Type.String({
          maxLength: 1000,
          description: 'Part of the memo, placement, id, host name or URL, in any case',
        }),
      ),
      kind: Type.Optional({ ...kind, description: 'Only tokens of this kind' }),
      flock_id: ofFlock,
      enabled: Type.Optional({
        ...flag,
        description: 'Only tokens that are enabled, or only those that are not',
      }),
      touched: Type.Optional({
        ...flag,
        description: 'Only tokens that were touched, or only those that were not',
      }),
      limit,
      cursor,
    },
    Type.Object({
      cursor: Cursor,
      tokens: Listed,
      page_number: count,
      total_pages: count,
      total_results: count,
    }),
    { example: { filter_str: 'file server', kind: exampleKind }, readsLong: true },
  ),
  disableMany: post(
    '/decoytokens/disable',
    'admin',
    'flock',
    'Disable several tokens; if one id is unknown, none is disabled',
    { decoytokens: { ...commaList, description: 'Ids of tokens, separated by commas' } },
    Type.Object({ decoytokens: Type.Array(text, { description: 'Ids of the disabled tokens' }) }),
    { example: { decoytokens: '{decoytoken}' } },
  ),
  removeMany: del(
    '/decoytokens/delete',
    'admin',
    'flock',
    'Delete several tokens; if one id is unknown, none is deleted',
    { decoytokens: { ...commaList, description: 'Ids of tokens, separated by commas' } },
    Type.Object({ decoytokens: Type.Array(text, { description: 'Ids of the deleted tokens' }) }),
    { example: { decoytokens: '{decoytoken}' } },
  ),
})
