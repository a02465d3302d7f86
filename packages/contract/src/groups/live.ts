// Extension: a stream that rings when something changed. It holds no row: its reader asks for what changed.
import { get, group, Nothing } from '../operation.ts'

export const live = group('Live', 'A stream of server-sent events that says when something changed.', {
  stream: get(
    '/live',
    'read-only',
    'Listen for changes: events `changed` {"incidents": highest updated_id}, at most four a second, and `signed-out`',
    {},
    Nothing,
    { answers: 'events' },
  ),
})
