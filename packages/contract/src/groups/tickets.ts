// Extension: links that work once. A set-up link makes the first person.
import Type from 'typebox'
import { oneOf, secret } from '../fields.ts'
import { get, group, post } from '../operation.ts'
import { email, password, SignedIn } from './sessions.ts'

const code = secret(Type.String({ maxLength: 64, description: 'The code behind the `#` of the link' }))
const example = { code: '{ticket_code}' }

export const tickets = group('Tickets', 'Links that work once: to set up a console.', {
  read: get(
    '/ticket/read',
    'nobody',
    'everybody',
    'Read what a link is for',
    { code },
    Type.Object({
      kind: oneOf(['setup']),
      expires: Type.Integer({ description: 'When it ends, epoch seconds' }),
    }),
    { example },
  ),
  use: post(
    '/ticket/use',
    'nobody',
    'everybody',
    'Use a link: its person is made and signed in',
    { code, email, password: { ...password, description: 'At least 12 characters, and not easy to guess' } },
    SignedIn,
    { changes: false, example: { ...example, email: '{new_email}', password: 'kestrel over the harbour' } },
  ),
})
