// Extension: receivers of alerts at Some name.
import Type from 'typebox'
import { flag, flock_id, secret, text } from '@rookery/contract/fields.ts'
import { group, post } from '@rookery/contract/operation.ts'
import { Attention } from '@rookery/contract/records/attention.ts'
import { changeFlock, readFlock, theDefault } from '@rookery/contract/switches.ts'

const url = secret(
  Type.String({ description: 'URL that Some name gives for a channel', maxLength: 2048 }),
  'but its host',
)
const One = { flock_id, url }
const one = { ...theDefault, url: 'https://some-name.example.com/in/a1b2' }
const path = '/flock/settings/webhooks/some-name'

export const someName = group('Some name', 'Receivers of the alerts of a Flock at Some name.', {
  add: changeFlock(`${path}/add`, 'Add a receiver at Some name', { ...One, ...Attention }, one),
  list: readFlock(
    path,
    'List the receivers at Some name of a Flock',
    Type.Object({
      some_name_webhooks: Type.Array(text, { description: 'URLs; hosts for callers who are no admins' }),
      webhooks_enabled: flag,
    }),
  ),
  remove: changeFlock(`${path}/remove`, 'Remove a receiver at Some name', One, one),
  test: post(
    `${path}/test`,
    'admin',
    'flock',
    'Send a test alert to a receiver at Some name',
    One,
    Type.Object({ webhook: text }),
    { example: one },
  ),
})
