// A touch that the database refuses is still a touch: it is stored with what it carried made harmless.
import { printableText, safeInteger, sanitizedFields } from '@rookery/kernel/sanitize.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import { channelOf } from '@rookery/tokens/visit.ts'
import type { Entry } from './entry.ts'

/** The same touch in printable ASCII and whole numbers; its fields say `sanitized: true`. */
export const sanitizedTouch = (touch: Touch): Touch => ({
  nodeId: printableText(touch.nodeId),
  logtype: printableText(touch.logtype),
  instance: printableText(touch.instance),
  at: safeInteger(touch.at),
  srcHost: printableText(touch.srcHost),
  srcPort: safeInteger(touch.srcPort),
  dstHost: printableText(touch.dstHost),
  dstPort: safeInteger(touch.dstPort),
  fields: sanitizedFields(touch.fields),
})

/** The entry with its touches sanitized. */
export function sanitizedEntry(entry: Entry): Entry {
  switch (entry.type) {
    case 'bird': {
      const events = entry.batch.events.map(({ seq, touch }) => ({ seq, touch: sanitizedTouch(touch) }))
      return { ...entry, batch: { ...entry.batch, events } }
    }
    case 'own':
      return { ...entry, own: { ...entry.own, touch: sanitizedTouch(entry.own.touch) } }
    case 'held':
      return { ...entry, held: { ...entry.held, isDefused: true } }
    case 'token': {
      const { visit, dstHost } = entry.visit
      const sanitized = { visit: channelOf(visit).sanitize(visit), dstHost: printableText(dstHost) }
      return { ...entry, visit: { ...entry.visit, ...sanitized } }
    }
  }
}

/** The smallest parts of an entry that can be stored apart: a Bird's events, deferred touches, one by one. */
export function splitEntry(entry: Entry): Entry[] {
  if (entry.type === 'held') {
    const { held, done } = entry
    return held.heldIds.map((heldId, index) => ({
      type: 'held',
      held: { ...held, heldIds: [heldId] },
      done: index === held.heldIds.length - 1 ? done : () => undefined,
    }))
  }
  if (entry.type !== 'bird' || entry.batch.events.length < 2) return [entry]
  const { batch, done } = entry
  const last = batch.events.length - 1
  return batch.events.map((event, index) => ({
    type: 'bird',
    batch: { ...batch, events: [event] },
    // Only the last part reports how far the spool is stored.
    done: index === last ? done : () => undefined,
  }))
}
