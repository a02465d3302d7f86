// Extension: how to be the intruder once: a command for each decoy of the Birds that are live.
import Type from 'typebox'
import { flock_id, text } from '../fields.ts'
import { get, group } from '../operation.ts'

const Command = Type.Object({
  service: text,
  title: Type.String({ description: 'Name of the service for people' }),
  command: Type.String({ description: 'To copy into a terminal that reaches the Bird' }),
})

export const touchCommands = group(
  'Touch commands',
  'Commands that touch the decoys of live Birds, to try them.',
  {
    list: get(
      '/devices/touch_commands',
      'read-only',
      'flock',
      'List commands that touch the decoys of live Birds; at most 20 Birds, the newest first',
      { flock_id: Type.Optional(flock_id) },
      Type.Object({
        birds: Type.Array(Type.Object({ node_id: text, name: text, commands: Type.Array(Command) })),
      }),
    ),
  },
)
