// Extension: what there is in a Flock, in numbers; and Flocks by a part of their name.
import Type from 'typebox'
import { count, flock_id, text } from '../fields.ts'
import { get, group } from '../operation.ts'

const many = (description: string) => ({ ...count, description })

const Summary = Type.Object({
  name: Type.String({ description: 'Name of the Flock' }),
  birds: many('Registered Birds'),
  live: many('Birds that are online'),
  dead: many('Birds that were seen before and are offline'),
  tokens: many('Tokens'),
  incidents_unacknowledged: many('Incidents that nobody has acknowledged'),
})

const Found = Type.Object({
  flock_id: text,
  name: Type.String({ description: 'Name of the Flock' }),
  note: text,
})

export const flockSummaries = group('Flock summaries', 'What there is in a Flock, in numbers.', {
  one: get(
    '/flock/summary',
    'read-only',
    'Count what there is in a Flock',
    { flock_id },
    Type.Object({ flock_summary: Summary }),
    { example: { params: { flock_id: 'flock:default' } } },
  ),
  all: get(
    '/flocks/summary',
    'read-only',
    'Count what there is in every Flock',
    {},
    Type.Object({ flocks_summary: Type.Record(text, Summary) }),
  ),
  filter: get(
    '/flocks/filter',
    'read-only',
    'Find Flocks by a part of their name, id or note',
    {
      filter_str: Type.Optional(
        Type.String({ maxLength: 1000, description: 'Part of the name, id or note, in any case' }),
      ),
    },
    Type.Object({ flocks: Type.Array(Found, { description: 'The Flocks' }) }),
    { example: { params: { filter_str: 'def' } } },
  ),
})
