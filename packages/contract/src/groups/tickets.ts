// Extension: links that work once. A set-up link makes the first person; the other ones let their person choose a password.
import Type from 'typebox'
import { oneOf, secret, text } from '../fields.ts'
import { get, group, post } from '../operation.ts'
import { email, meOrNull, orNull, pageHalf, password, SignedIn } from './sessions.ts'

const code = secret(Type.String({ maxLength: 64, description: 'The code behind the `#` of the link' }))
const example = { code: '{ticket_code}' }

export const tickets = group(
  'Tickets',
  'Links that work once: to set up a console, to accept an invitation, to choose a new password.',
  {
    read: get(
      '/ticket/read',
      'nobody',
      'everybody',
      'Read what a link is for',
      { code },
      Type.Object({
        kind: oneOf(['setup', 'invite', 'reset']),
        email: orNull(text),
        expires: Type.Integer({ description: 'When it ends, epoch seconds' }),
      }),
      { example },
    ),
    use: post(
      '/ticket/use',
      'nobody',
      'everybody',
      'Use a link: its person has this password, and is signed in unless the link replaced a password',
      {
        code,
        email: Type.Optional({
          ...email,
          description: 'Of a set-up link only; the other ones are of a person',
        }),
        password: { ...password, description: 'At least 12 characters, and not easy to guess' },
      },
      Type.Object({
        ...SignedIn.properties,
        page_half: {
          ...orNull(pageHalf),
          description: 'Second half of the session; null where the link replaced a password',
        },
        me: meOrNull,
      }),
      { changes: false, example: { ...example, email: '{new_email}', password: 'kestrel over the harbour' } },
    ),
  },
)
