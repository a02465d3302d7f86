// Events as JSON text: the stored text with the two timestamps spliced in, never parsed and written again.
import { epochText, std } from '@rookery/kernel/time.ts'
import type { StoredEvent } from '../../stores/incidents/one.store.ts'

/**
 * The JSON array of the events. `shrink` leaves out those equal but for their time (the first of them stays); of the rest
 * the newest `limit` are shown.
 */
export function eventsJson(
  events: readonly StoredEvent[],
  tz: string,
  shrink: boolean,
  limit?: number,
): string {
  const shown = newestOf(shrink && events.length > 1 ? distinct(events) : events, limit)
  let text = '['
  for (const [index, { at, body }] of shown.entries()) {
    const rest = body.length > 2 ? ',' + body.slice(1) : '}'
    text += `${index === 0 ? '' : ','}{"timestamp":${epochText(at)},"timestamp_std":"${std(at, tz)}"${rest}`
  }
  return text + ']'
}

export const newestOf = (events: readonly StoredEvent[], limit = Infinity): readonly StoredEvent[] =>
  events.slice(Math.max(0, events.length - limit))

function distinct(events: readonly StoredEvent[]): StoredEvent[] {
  const seen = new Set<string>()
  return events.filter(({ body }) => !seen.has(body) && seen.add(body))
}
