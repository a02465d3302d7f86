// Extension: rooms of Matrix that get the alerts of a Flock.
import Type from 'typebox'
import { secret } from '../fields.ts'
import { group } from '../operation.ts'
import { Matrix } from '../records/webhooks.ts'
import { receiversById } from '../receivers-by-id.ts'

export const matrix = group(
  'Matrix',
  'Rooms of Matrix into which an account writes the alerts of a Flock.',
  receiversById({
    kind: 'matrix',
    one: 'a room of Matrix',
    many: 'the rooms of Matrix',
    params: {
      url: Type.String({
        description: 'Address of the homeserver of the account, such as https://matrix.example.com',
        maxLength: 2048,
      }),
      token: secret(Type.String({ description: 'Access token of the account', maxLength: 1024 })),
      room: Type.String({
        description: 'Id of the room, such as !OGEhHVWSdvArJzumhm:example.com; the account is a member of it',
        maxLength: 255,
      }),
    },
    answer: Type.Object({ matrix: Type.Array(Matrix, { description: 'The rooms, by age' }) }),
    example: {
      url: 'https://matrix.example.com',
      token: 'syt_cm9va2VyeQ_bGVuZ3RoIG9mIGl0_0Xy1Qz',
      room: '!OGEhHVWSdvArJzumhm:example.com',
    },
  }),
)
