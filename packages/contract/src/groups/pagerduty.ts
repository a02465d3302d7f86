// Extension: services of PagerDuty that take the alerts of a Flock.
import Type from 'typebox'
import { oneOf, secret, withDefault } from '../fields.ts'
import { group } from '../operation.ts'
import { Pagerduty, PAGERDUTY_REGIONS } from '../records/webhooks.ts'
import { receiversById } from '../receivers-by-id.ts'

export const pagerduty = group(
  'PagerDuty',
  'Services of PagerDuty (Events API v2) that take the alerts of a Flock. An incident that is acknowledged is acknowledged there, one that is deleted is resolved.',
  receiversById({
    kind: 'pagerduty',
    one: 'a service of PagerDuty',
    many: 'the services of PagerDuty',
    params: {
      routing_key: secret(
        Type.String({
          description: 'Integration key of an integration of the type Events API v2, 32 characters',
          maxLength: 64,
        }),
      ),
      region: withDefault(oneOf(PAGERDUTY_REGIONS, { description: 'Service region of the account' }), 'us'),
    },
    answer: Type.Object({
      pagerduty: Type.Array(Pagerduty, { description: 'The services, by age' }),
    }),
    example: { routing_key: 'e93facc04764012d7bfb002500d5d1a6' },
  }),
)
