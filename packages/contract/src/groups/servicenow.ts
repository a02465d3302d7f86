// Extension: instances of ServiceNow in which the alerts of a Flock are incidents.
import Type from 'typebox'
import { flag, secret, withDefault } from '../fields.ts'
import { group } from '../operation.ts'
import { Servicenow } from '../records/webhooks.ts'
import { receiversById } from '../receivers-by-id.ts'

export const servicenow = group(
  'ServiceNow',
  'Instances of ServiceNow in which each incident of a Flock is a record of the table incident.',
  receiversById({
    kind: 'servicenow',
    one: 'an instance of ServiceNow',
    many: 'the instances of ServiceNow',
    params: {
      url: Type.String({
        description: 'Address of the instance, such as https://example.service-now.com',
        maxLength: 2048,
      }),
      user: Type.String({ description: 'Name of the account, which has the role itil', maxLength: 128 }),
      password: secret(Type.String({ description: 'Password of the account', maxLength: 512 })),
      close_acknowledged: withDefault(
        { ...flag, description: 'Resolve the record when the incident is acknowledged or deleted' },
        false,
      ),
      close_code: withDefault(
        Type.String({
          description: 'Resolution code of a record that is resolved; which there are, the instance says',
          maxLength: 60,
        }),
        'Solution provided',
      ),
    },
    answer: Type.Object({ servicenow: Type.Array(Servicenow, { description: 'The instances, by age' }) }),
    example: {
      url: 'https://example.service-now.com',
      user: 'rookery',
      password: 'correct horse battery staple',
    },
  }),
)
