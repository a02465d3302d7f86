// Extension: codes with which new Birds are commissioned without a person.
import Type from 'typebox'
import { flockOrDefault, text, withDefault } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

const enrolment_id = Type.String({ maxLength: 64, description: 'Id of an enrolment code' })
const Enrolment = Type.Object({
  enrolment_id,
  flock_id: text,
  uses_left: Type.Integer({ minimum: 0, description: 'How many more Birds may use it' }),
  created_std: text,
  expires_std: Type.String({ description: 'When it expires' }),
})

export const enrolments = group(
  'Enrolment codes',
  'A new Bird that has a code is commissioned at once, in the Flock of the code. The console keeps a hash of it: it is shown once.',
  {
    create: post(
      '/enrolment/create',
      'admin',
      'flock',
      'Make an enrolment code',
      {
        flock_id: flockOrDefault,
        uses: withDefault(
          Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many Birds may use it' }),
          1,
        ),
        minutes: withDefault(
          Type.Integer({ minimum: 1, maximum: 527_040, description: 'How long it is valid, in minutes' }),
          1_440,
        ),
      },
      Type.Object({
        enrolment_id,
        code: Type.String({ description: 'The code, shown only now' }),
        command: Type.String({ description: 'What starts a Bird with it' }),
      }),
      { example: { uses: 20, minutes: 60 } },
    ),
    revoke: post(
      '/enrolment/revoke',
      'admin',
      'flock',
      'Revoke an enrolment code',
      { enrolment_id },
      Nothing,
      {
        example: { enrolment_id: '{enrolment_id}' },
      },
    ),
    list: get(
      '/enrolments/list',
      'read-only',
      'flock',
      'List the enrolment codes that can still be used',
      {},
      Type.Object({ enrolments: Type.Array(Enrolment, { description: 'The codes, newest first' }) }),
    ),
  },
)
