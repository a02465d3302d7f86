// The event key `looks_like` of an HTTP visit: the same few clients come again and again.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { looksLike } from '@rookery/tokens/channels/http/looks-like.ts'

/** Longer ones are looked at each time. */
const MAX_CHARACTERS = 512
/** User agent to what it looks like; empty for nobody known. */
const notes = boundedMap<string, string>(limit('client_notes', 1_000))

/** Undefined for a client without a known name. */
export function clientNote(userAgent: string): string | undefined {
  const known = notes.get(userAgent)
  if (known !== undefined) return known || undefined
  const note = looksLike(userAgent)
  if (userAgent.length <= MAX_CHARACTERS) notes.set(userAgent, note ?? '')
  return note
}
