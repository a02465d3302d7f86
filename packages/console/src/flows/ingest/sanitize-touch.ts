// A touch that the database refuses is still a touch: it is stored with what it carried made harmless.
import { printableText, safeInteger, sanitizedFields } from '@rookery/kernel/sanitize.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import type { ProviderEvent } from '@rookery/tokens/provider.ts'
import { channelOf } from '@rookery/tokens/visit.ts'
import type { IngestItem } from './ingest-item.ts'

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

const sanitizedEvent = (event: ProviderEvent): ProviderEvent => ({
  ...event,
  at: safeInteger(event.at),
  srcHost: printableText(event.srcHost),
  eventName: printableText(event.eventName),
  fields: sanitizedFields(event.fields),
})

/** The item with its touches sanitized. */
export function sanitizedItem(item: IngestItem): IngestItem {
  switch (item.type) {
    case 'bird': {
      const events = item.batch.events.map(({ seq, touch }) => ({ seq, touch: sanitizedTouch(touch) }))
      return { ...item, batch: { ...item.batch, events } }
    }
    case 'console':
      return { ...item, console: { ...item.console, touch: sanitizedTouch(item.console.touch) } }
    case 'provider': {
      const events = item.provider.events.map(sanitizedEvent)
      return { ...item, provider: { ...item.provider, events } }
    }
    case 'released':
      return { ...item, released: { ...item.released, isSanitized: true } }
    case 'token': {
      const { visit, dstHost } = item.visit
      const sanitized = { visit: channelOf(visit).sanitize(visit), dstHost: printableText(dstHost) }
      return { ...item, visit: { ...item.visit, ...sanitized } }
    }
  }
}

/** The smallest parts of an item that can be stored apart: events of a Bird or a provider, deferred touches, one by one. */
export function splitItem(item: IngestItem): IngestItem[] {
  if (item.type === 'released') {
    const { released, done } = item
    return released.deferredIds.map((deferredId, index) => ({
      type: 'released',
      released: { ...released, deferredIds: [deferredId] },
      done: index === released.deferredIds.length - 1 ? done : () => undefined,
    }))
  }
  if (item.type === 'provider' && item.provider.events.length > 1) {
    const { provider, done } = item
    const last = provider.events.length - 1
    return provider.events.map((event, index) => ({
      type: 'provider',
      // Only the last part says where the next poll goes on.
      provider: { ...provider, events: [event], feed: index === last ? provider.feed : {} },
      done: index === last ? done : () => undefined,
    }))
  }
  if (item.type !== 'bird' || item.batch.events.length < 2) return [item]
  const { batch, done } = item
  const last = batch.events.length - 1
  return batch.events.map((event, index) => ({
    type: 'bird',
    batch: { ...batch, events: [event] },
    // Only the last part reports how far the spool is stored.
    done: index === last ? done : () => undefined,
  }))
}
