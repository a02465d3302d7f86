// The body of a feed's request: a JSON array or object, or an object a line, as bulk requests have it.
import { limit } from '@rookery/kernel/limit.ts'
import { parsedJson, valuesOf } from '../../reported.ts'
import type { Logon } from './logon.ts'
import { sambaLogon } from './samba-event.ts'
import { windowsLogon } from './windows-event.ts'

/** Events that are read of one request of a log feed. */
const EVENTS = limit('events_of_a_feed_request', 1_000)

/** The logons in it, in their order; undefined when nothing of it is JSON of an event. What cannot be read is left out. */
export function logonsIn(body: string): readonly Logon[] | undefined {
  const whole = parsedJson(body)
  if (typeof whole === 'object' && whole !== null) return logonsOf(Array.isArray(whole) ? whole : [whole])
  const lines = body.split('\n', EVENTS.max + 1).flatMap((line) => lineObject(line) ?? [])
  return lines.length === 0 ? undefined : logonsOf(lines)
}

function logonsOf(events: readonly unknown[]): readonly Logon[] {
  if (events.length > EVENTS.max) EVENTS.hit()
  return events.slice(0, EVENTS.max).flatMap((it) => {
    const event = valuesOf(it)
    return (event && (sambaLogon(event) ?? windowsLogon(event))) ?? []
  })
}

/** A line that begins otherwise is no object: failing to parse it would cost more than to look. */
const lineObject = (line: string) => (/^\s*\{/.test(line) ? valuesOf(parsedJson(line)) : undefined)
