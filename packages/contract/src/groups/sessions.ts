// Extension: people sign in. A session has two halves: the cookie, and the page's half in the header `X-Rookery-Page`.
import Type from 'typebox'
import { jsonObject, oneOf, secret, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

export const email = Type.String({ maxLength: 254, description: 'E-mail address of the person' })
export const password = secret(Type.String({ maxLength: 2_000, format: 'password' }))

export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

export const pageHalf = Type.String({
  description: 'Second half of the session: sent as `X-Rookery-Page`; the first half is the cookie',
})

const way = oneOf(['password', 'passkey', 'totp', 'recovery'])

/** A code of the authenticator app, or a recovery code. */
export const code = secret(
  Type.String({ maxLength: 64, description: 'Code; blanks and hyphens do not count' }),
)
/** What the browser's authenticator said (WebAuthn), as JSON. */
export const passkeyResponse = secret({
  ...jsonObject,
  description: 'The answer of the authenticator, as `@simplewebauthn/browser` gives it',
})
export const PasskeyOptions = Type.Object({
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'For `navigator.credentials`, as `@simplewebauthn/browser` takes it; it works for five minutes',
  }),
})

const needs_factor = Type.Boolean({
  description: 'The second factor is missing; until then the session reads nothing',
})
const must_add_factor = Type.Boolean({
  description: 'A second factor is required of all, and this person has none: they must add one first',
})
const ways = Type.Array(way, {
  description: 'Ways to sign in, or to give the missing factor, at this address',
})

/** The person whose session it is. */
const Me = Type.Object({
  user_id: text,
  email: text,
  access_level: oneOf(['admin', 'user'], {
    description:
      'An admin may do everything; a user reads the Flocks of both lists, and changes those of the first',
  }),
  managed_flocks: Type.Array(text, {
    description: 'Ids of the Flocks that the person manages; empty while something is missing',
  }),
  watched_flocks: Type.Array(text, {
    description: 'Ids of the Flocks that the person watches; empty while something is missing',
  }),
})
/** Null for nobody. */
export const meOrNull = orNull(Me)

export const SignedIn = Type.Object({
  page_half: pageHalf,
  needs_factor,
  must_add_factor,
  ways,
  me: Me,
})

const State = Type.Object({
  signed_in: Type.Boolean(),
  needs_setup: Type.Boolean({ description: 'There is no person yet: the set-up link makes the first one' }),
  needs_factor,
  must_add_factor,
  me: meOrNull,
  ways,
  console: Type.Object({
    version: text,
    is_secure: Type.Boolean({
      description: 'Whether people may sign in at the address that was asked: HTTPS, or a loopback name',
    }),
    public_url: orNull(text),
    tokens_url: orNull(text),
    https_url: orNull(text),
  }),
})

export const sessions = group(
  'Sessions',
  'People sign in and out. A session has two halves, a cookie and a header; neither is worth anything alone.',
  {
    read: get('/session', 'nobody', 'everybody', 'Read the state of the own session', {}, State, {
      sessions: 'any',
    }),
    password: post(
      '/session/password',
      'nobody',
      'everybody',
      'Sign in by e-mail address and password',
      { email, password },
      SignedIn,
      {
        changes: false,
        sessions: 'any',
        example: { email: '{admin_email}', password: 'kestrel over the harbour' },
      },
    ),
    totp: post(
      '/session/totp',
      'nobody',
      'everybody',
      'Give the code of the authenticator app that a session still lacks',
      { code },
      SignedIn,
      { changes: false, sessions: 'any', example: { code: '{totp_code}' } },
    ),
    recovery: post(
      '/session/recovery',
      'nobody',
      'everybody',
      'Give a recovery code in place of the second factor; each works once',
      { code },
      SignedIn,
      { changes: false, sessions: 'any', example: { code: '{recovery_code}' } },
    ),
    passkeyOptions: post(
      '/session/passkey/options',
      'nobody',
      'everybody',
      'Begin with a passkey: to sign in, as the missing factor, or to step up',
      {},
      PasskeyOptions,
      { changes: false, sessions: 'any' },
    ),
    passkeyVerify: post(
      '/session/passkey/verify',
      'nobody',
      'everybody',
      'End with a passkey: it signs in alone',
      { response: passkeyResponse },
      SignedIn,
      { changes: false, sessions: 'any', example: { response: '{passkey_assertion}' } },
    ),
    stepUp: post(
      '/session/step_up',
      'person',
      'everybody',
      'Prove again who one is, by one of the three; it counts for ten minutes',
      {
        password: Type.Optional(password),
        code: Type.Optional(code),
        recovery_code: Type.Optional(code),
      },
      SignedIn,
      { changes: false, sessions: 'enrolling', example: { password: 'kestrel over the harbour' } },
    ),
    end: post('/session/end', 'person', 'everybody', 'Sign out', {}, Nothing, {
      changes: false,
      sessions: 'any',
    }),
  },
)
