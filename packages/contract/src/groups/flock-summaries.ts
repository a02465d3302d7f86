// Extension: counts of Flocks, and finding Flocks by part of their name.
import Type from 'typebox'
import { count, countsByLevel, flock_id, text, withDefault } from '../fields.ts'
import { get, group } from '../operation.ts'
import { theDefault } from '../switches.ts'

const countOf = (description: string) => ({ ...count, description })

const Summary = Type.Object({
  name: Type.String({ description: 'Name of the Flock' }),
  birds: countOf('Registered Birds'),
  live: countOf('Birds that are online'),
  dead: countOf('Birds that were online before and are offline'),
  tokens: countOf('Tokens'),
  incidents_unacknowledged: countOf('Unacknowledged incidents'),
  open_by_level: Type.Optional(
    Type.Object(countsByLevel, {
      description: 'Unacknowledged incidents by level, where they were asked for',
    }),
  ),
})

/** Other than the rest, these are counted one by one. */
const open_by_level = withDefault(
  Type.Boolean({
    description: 'Count unacknowledged incidents by level, too; of a million it takes a second',
  }),
  false,
)

const Found = Type.Object({
  flock_id: text,
  name: Type.String({ description: 'Name of the Flock' }),
  note: text,
})

export const flockSummaries = group(
  'Flock summaries',
  'Numbers of Birds, tokens and incidents of each Flock, and finding Flocks.',
  {
    one: get(
      '/flock/summary',
      'read-only',
      'flock',
      'Count the Birds, tokens and incidents of a Flock',
      { flock_id, open_by_level },
      Type.Object({ flock_summary: Summary }),
      { example: { ...theDefault, open_by_level: true }, readsLong: true },
    ),
    all: get(
      '/flocks/summary',
      'read-only',
      'flock',
      'Count the Birds, tokens and incidents of every Flock',
      { open_by_level },
      Type.Object({ flocks_summary: Type.Record(text, Summary) }),
      { example: { open_by_level: true }, readsLong: true },
    ),
    filter: get(
      '/flocks/filter',
      'read-only',
      'flock',
      'Find Flocks by part of their name, id or note',
      {
        filter_str: Type.Optional(
          Type.String({ maxLength: 1000, description: 'Part of the name, id or note, in any case' }),
        ),
      },
      Type.Object({ flocks: Type.Array(Found, { description: 'The Flocks' }) }),
      { example: { filter_str: 'def' } },
    ),
  },
)
