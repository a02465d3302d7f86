// A token's touches as the wire shows them: JSON, and CSV for spreadsheets.
import type { TokenTouch } from '@rookery/contract/records/token.ts'
import { csvRow } from '@rookery/kernel/csv/write.ts'
import { epoch, std } from '@rookery/kernel/time.ts'
import type { Static } from 'typebox'
import type { StoredTouch } from '../../stores/tokens/history.store.ts'

export const touchView = (
  { at, incident, reason = '', body }: StoredTouch,
  tz: string,
): Static<typeof TokenTouch> => ({
  timestamp: epoch(at),
  timestamp_std: std(at, tz),
  quiet: incident === null,
  reason,
  incident,
  event: JSON.parse(body) as Record<string, unknown>,
})

const COLUMNS = [
  'timestamp',
  'timestamp_std',
  'quiet',
  'reason',
  'incident',
  'src_host',
  'event_name',
  'event',
] as const

/** A header, then a row for each touch; the whole event is JSON in the last column. */
export async function* touchesAsCsv(
  chunks: AsyncIterable<readonly StoredTouch[]>,
  tz: string,
): AsyncGenerator<string> {
  let text = csvRow(COLUMNS)
  for await (const touches of chunks) {
    for (const touch of touches) text += csvRow(cellsOf(touch, tz))
    yield text
    text = ''
  }
}

function cellsOf(touch: StoredTouch, tz: string): (string | number | boolean)[] {
  const { timestamp, timestamp_std, quiet, reason, incident, event } = touchView(touch, tz)
  const named = (key: string): string => (typeof event[key] === 'string' ? event[key] : '')
  return [
    timestamp,
    timestamp_std,
    quiet,
    reason,
    incident ?? '',
    named('src_host'),
    named('event_name'),
    touch.body,
  ]
}
