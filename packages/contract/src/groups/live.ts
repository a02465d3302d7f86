// Extension: a stream that rings when something changed. It holds no row: its reader asks for what changed.
import { get, group, Nothing } from '../operation.ts'

const ABOUT =
  'A stream of server-sent events: `changed` with the highest `updated_id` of `incidents`, the last row of the audit trail as `changes`, or both, at most four a second; `signed-out` at the end of a session.'

export const live = group('Live', ABOUT, {
  stream: get('/live', 'read-only', 'flock', 'Listen for changes', {}, Nothing, { answers: 'events' }),
})
