// Extension: how the console that answers is: its disk, its background tasks, its certificates.
import Type from 'typebox'
import { get, group } from '../operation.ts'

const Finding = Type.Object({
  about: Type.String({ description: '`disk`, `background` or `certificate`' }),
  ok: Type.Boolean({ description: 'Whether it is well' }),
  text: Type.String({ description: 'What was found; where it is not well, what to do' }),
})

export const consoleHealth = group(
  'Console health',
  'The disk of the data directory, the background tasks, and the certificates of the console and of the token host.',
  {
    read: get(
      '/settings/health',
      'read-only',
      'console',
      'Examine the disk, tasks and certificates of the console that answers',
      {},
      Type.Object({
        findings: Type.Array(Finding, {
          description: 'The disk first, then background tasks that are late, then each certificate',
        }),
      }),
    ),
  },
)
