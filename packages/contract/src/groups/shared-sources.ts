// Extension: the sources of the last days, for those who block them. TAXII clients read the same (docs/sharing.md).
import Type from 'typebox'
import { flock_id, withDefault } from '../fields.ts'
import { get, group, Nothing } from '../operation.ts'

export const sharedSources = group(
  'Shared sources',
  'Addresses that touched decoys or tokens of late, for firewalls. Private and own addresses, those of Birds and of the asset inventory, and those that an ignore list names never leave; nor do sources of incidents that were deleted or turned out to be harmless or a test.',
  {
    list: get(
      '/sources/list',
      'indicators',
      'flock',
      'List the sources of the last days as plain text, one address a line, the newest first',
      {
        days: withDefault(
          Type.Integer({ minimum: 1, maximum: 365, description: 'Those that were seen within so many days' }),
          7,
        ),
        levels: withDefault(
          Type.String({
            maxLength: 64,
            description:
              'Those of incidents of these levels, separated by commas: used, tried, looked. A port scan is of level looked, and its source may be forged',
          }),
          'used,tried,looked',
        ),
        flock_id: Type.Optional(flock_id),
      },
      Nothing,
      { answers: 'file', readsLong: true, example: { days: 30, levels: 'used,tried' } },
    ),
  },
)
