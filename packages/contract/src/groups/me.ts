// Extension: what a person sees and changes of their own account: password, second factors, sessions, preferences.
import Type from 'typebox'
import { count, oneOf, secret, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { code, password, PasskeyOptions, passkeyResponse } from './sessions.ts'

const at = (description: string) => Type.Integer({ description: `${description}, epoch seconds` })
const atOrNull = (description: string) =>
  Type.Union([at(description), Type.Null()], { description: `${description}, epoch seconds` })

const passkey_id = Type.String({ maxLength: 1_400, description: 'Id of a passkey, base64url' })
const session_id = Type.String({ maxLength: 64, description: 'Id of a session' })

const Factors = Type.Object({
  totp: Type.Boolean({ description: 'Whether an authenticator app is set up' }),
  passkeys: Type.Array(
    Type.Object({
      passkey_id,
      name: text,
      rp_id: Type.String({ description: 'The host at which the passkey works' }),
      created: at('When it was added'),
      used: atOrNull('When it was used last'),
    }),
    { description: 'The passkeys' },
  ),
  recovery_codes: { ...count, description: 'Recovery codes that are left' },
})

/** The codes are shown once: only their hashes are stored. */
const Codes = Type.Object({
  recovery_codes: Type.Array(text, {
    description: 'Recovery codes, shown once: ten with the first factor, none with a further one',
  }),
})

const preferences = {
  theme: oneOf(['system', 'dark', 'light'], { description: 'Colours of the page' }),
  zone: Type.String({
    maxLength: 64,
    description: 'Time zone of the page, such as Europe/Berlin; empty for that of the browser',
  }),
  keys: Type.Boolean({ description: 'Whether single letters act on the page' }),
}
const Preferences = Type.Object(preferences)

const factor = { sessions: 'enrolling', stepUp: true } as const

export const me = group('Own account', 'What a person sees and changes of their own account.', {
  factors: get('/me/factors', 'person', 'everybody', 'Read the own second factors', {}, Factors),
  password: post(
    '/me/password',
    'person',
    'everybody',
    'Change the own password; the other sessions end',
    {
      password: { ...password, description: 'The present password' },
      new_password: secret(
        Type.String({
          maxLength: 2_000,
          format: 'password',
          description: 'At least 12 characters, and not easy to guess',
        }),
      ),
    },
    Type.Object({ ended: { ...count, description: 'Sessions that ended' } }),
    {
      example: { password: 'kestrel over the harbour', new_password: 'plover behind the dunes' },
    },
  ),
  beginTotp: post(
    '/me/totp/begin',
    'person',
    'everybody',
    'Begin to set up an authenticator app',
    {},
    Type.Object({
      uri: Type.String({ description: 'For a QR code, `otpauth://totp/…`' }),
      secret: Type.String({ description: 'The same secret in base32, to type it' }),
    }),
    factor,
  ),
  confirmTotp: post(
    '/me/totp/confirm',
    'person',
    'everybody',
    'End it with a code of the app, which is a second factor from then on',
    { code },
    Codes,
    { ...factor, example: { code: '{new_totp_code}' } },
  ),
  removeTotp: post('/me/totp/remove', 'person', 'everybody', 'Remove the authenticator app', {}, Nothing, {
    stepUp: true,
  }),
  passkeyOptions: post(
    '/me/passkeys/options',
    'person',
    'everybody',
    'Begin to add a passkey',
    {},
    PasskeyOptions,
    {
      ...factor,
      changes: false,
    },
  ),
  addPasskey: post(
    '/me/passkeys/add',
    'person',
    'everybody',
    'Add a passkey, which is a second factor from then on, and signs in alone',
    {
      response: passkeyResponse,
      name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Name for people' }),
    },
    Codes,
    { ...factor, example: { response: '{passkey_attestation}', name: 'Laptop' } },
  ),
  removePasskey: post(
    '/me/passkeys/remove',
    'person',
    'everybody',
    'Remove a passkey',
    { passkey_id },
    Nothing,
    {
      stepUp: true,
      example: { passkey_id: '{passkey_id}' },
    },
  ),
  renewRecoveryCodes: post(
    '/me/recovery_codes',
    'person',
    'everybody',
    'Make ten new recovery codes; those before stop working',
    {},
    Codes,
    { stepUp: true },
  ),
  sessions: get(
    '/me/sessions',
    'person',
    'everybody',
    'List the own sessions',
    {},
    Type.Object({
      sessions: Type.Array(
        Type.Object({
          session_id,
          is_current: Type.Boolean({ description: 'Whether it is the one that asks' }),
          created: at('When it began'),
          used: at('When it asked last, to the minute'),
          address: Type.String({ description: 'Address from which the person signed in' }),
          user_agent: Type.String({ description: 'What the browser says it is' }),
        }),
        { description: 'Sessions that have not ended, the last used first' },
      ),
    }),
  ),
  endSessions: post(
    '/me/sessions/end',
    'person',
    'everybody',
    'End one of the own sessions, or all but the one that asks',
    { session_id: Type.Optional(session_id) },
    Type.Object({ ended: { ...count, description: 'Sessions that ended' } }),
    { stepUp: true },
  ),
  preferences: get('/me/preferences', 'person', 'everybody', 'Read the own preferences', {}, Preferences),
  prefer: post(
    '/me/preferences',
    'person',
    'everybody',
    'Change the own preferences; what is not given stays as it is',
    {
      theme: Type.Optional(preferences.theme),
      zone: Type.Optional(preferences.zone),
      keys: Type.Optional(preferences.keys),
    },
    Preferences,
    { example: { theme: 'dark', zone: 'Europe/Berlin' } },
  ),
})
