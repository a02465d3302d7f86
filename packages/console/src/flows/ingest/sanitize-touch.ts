// A touch that the database refuses is still a touch: it is stored with what it carried made harmless.
import type { EventFields, EventValue, Touch } from '@rookery/kernel/touch.ts'
import type { Entry } from './entry.ts'

const TEXT = 500

const plainText = (text: string): string => text.slice(0, TEXT).replace(/[^\x20-\x7e]/g, '?')
const plainNumber = (value: number): number => (Number.isSafeInteger(value) ? value : -1)

function plainValue(value: EventValue): EventValue {
  if (typeof value === 'string') return plainText(value)
  if (typeof value === 'number') return plainNumber(value)
  if (typeof value === 'boolean') return value
  return plainText(JSON.stringify(value) ?? '')
}

const plainFields = (fields: EventFields): EventFields => ({
  ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [plainText(key), plainValue(value)])),
  defused: true,
})

/** The same touch in printable ASCII and whole numbers; its fields say `defused: true`. */
export const defusedTouch = (touch: Touch): Touch => ({
  nodeId: plainText(touch.nodeId),
  logtype: plainText(touch.logtype),
  instance: plainText(touch.instance),
  at: plainNumber(touch.at),
  srcHost: plainText(touch.srcHost),
  srcPort: plainNumber(touch.srcPort),
  dstHost: plainText(touch.dstHost),
  dstPort: plainNumber(touch.dstPort),
  fields: plainFields(touch.fields),
})

/** The entry with its touches defused. */
export function defused(entry: Entry): Entry {
  switch (entry.type) {
    case 'bird':
      return {
        ...entry,
        batch: {
          ...entry.batch,
          events: entry.batch.events.map(({ seq, touch }) => ({ seq, touch: defusedTouch(touch) })),
        },
      }
    case 'own':
      return { ...entry, own: { ...entry.own, touch: defusedTouch(entry.own.touch) } }
    case 'held':
      return { ...entry, held: { ...entry.held, isDefused: true } }
    case 'token': {
      const { visit, dstHost } = entry.visit
      const headers = Object.entries(visit.headers).map(([name, value]) => [
        plainText(name),
        plainText(value),
      ])
      const plain = {
        ...visit,
        method: plainText(visit.method),
        path: plainText(visit.path),
        srcHost: plainText(visit.srcHost),
        headers: Object.fromEntries(headers) as Record<string, string>,
      }
      return { ...entry, visit: { ...entry.visit, visit: plain, dstHost: plainText(dstHost) } }
    }
  }
}

/** The smallest pieces of an entry that can be stored apart: a Bird's batch event by event, what was held one by one. */
export function pieces(entry: Entry): Entry[] {
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
    // Only the last piece tells how far the spool is stored.
    done: index === last ? done : () => undefined,
  }))
}
