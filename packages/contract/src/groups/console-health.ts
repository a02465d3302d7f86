// Extension: what `rookery doctor` finds on the machine of the console, without its database.
import Type from 'typebox'
import { get, group } from '../operation.ts'

const Finding = Type.Object({
  about: Type.String({ description: '`disk` or `certificate`' }),
  ok: Type.Boolean({ description: 'Whether it is well' }),
  text: Type.String({ description: 'What was found; where it is not well, what to do' }),
})

export const consoleHealth = group(
  'Console health',
  'The disk of the data directory, and the certificates of the console and of the token host: what `rookery doctor` says of them.',
  {
    read: get(
      '/settings/health',
      'read-only',
      'console',
      'Examine the disk and the certificates of the console that answers',
      {},
      Type.Object({
        findings: Type.Array(Finding, { description: 'The disk first, then each certificate' }),
      }),
    ),
  },
)
