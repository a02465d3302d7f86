// Extension: people sign in. A session has two halves: the cookie, and the page's half in the header `X-Rookery-Page`.
import Type from 'typebox'
import { oneOf, secret, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

export const email = Type.String({ maxLength: 254, description: 'E-mail address of the person' })
export const password = secret(Type.String({ maxLength: 2_000, format: 'password' }))

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** The person whose session it is. */
export const Me = Type.Object({
  user_id: text,
  email: text,
  access_level: oneOf(['admin', 'user']),
})

export const SignedIn = Type.Object({
  page_half: Type.String({
    description: 'Second half of the session: sent as `X-Rookery-Page`; the first half is the cookie',
  }),
  needs_factor: Type.Boolean(),
  me: Me,
})

const State = Type.Object({
  signed_in: Type.Boolean(),
  needs_setup: Type.Boolean({ description: 'There is no person yet: the set-up link makes the first one' }),
  needs_factor: Type.Boolean(),
  me: orNull(Me),
  ways: Type.Array(oneOf(['password']), { description: 'Ways to sign in that this console offers' }),
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
    read: get('/session', 'nobody', 'Read the state of the own session', {}, State),
    password: post(
      '/session/password',
      'nobody',
      'Sign in by e-mail address and password',
      { email, password },
      SignedIn,
      { changes: false, example: { email: '{admin_email}', password: 'kestrel over the harbour' } },
    ),
    end: post('/session/end', 'person', 'Sign out', {}, Nothing, { changes: false }),
  },
)
