// Events as JSON text: the stored text with the two timestamps spliced in, never parsed and written again.
import { epochText, std } from '@rookery/kernel/time.ts'
import type { StoredEvent } from '../../stores/incidents/one.store.ts'

/** The JSON array of the events; `shrink` leaves out those equal but for their time (the first of them stays). */
export function eventsJson(events: readonly StoredEvent[], tz: string, shrink: boolean): string {
  const shown = shrink && events.length > 1 ? distinct(events) : events
  let text = '['
  for (const [index, { at, body }] of shown.entries()) {
    const rest = body.length > 2 ? ',' + body.slice(1) : '}'
    text += `${index === 0 ? '' : ','}{"timestamp":${epochText(at)},"timestamp_std":"${std(at, tz)}"${rest}`
  }
  return text + ']'
}

function distinct(events: readonly StoredEvent[]): StoredEvent[] {
  const seen = new Set<string>()
  return events.filter(({ body }) => !seen.has(body) && seen.add(body))
}
