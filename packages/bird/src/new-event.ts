// An event before it has its number, and its JSON text.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { SpooledEvent } from '@rookery/link/messages.ts'

/** Its fields stand last: the logtype comes before what an intruder writes. */
export type NewEvent = Omit<SpooledEvent, 'seq' | 'fields'> & { readonly fields: EventFields }

/**
 * Answers what `JSON.stringify` would. Events of one piece of input differ in their fields alone: what they share is
 * written once for all of them.
 */
export function eventJson(): (event: NewEvent) => string {
  let last: NewEvent | undefined
  let envelope = ''

  return (event) => {
    if (!last || !isSameEnvelope(last, event)) {
      const { fields: _, ...rest } = event
      envelope = JSON.stringify(rest).slice(0, -1)
      last = event
    }
    return `${envelope},"fields":${JSON.stringify(event.fields)}}`
  }
}

const isSameEnvelope = (a: NewEvent, b: NewEvent): boolean =>
  a.at === b.at &&
  a.mono === b.mono &&
  a.srcPort === b.srcPort &&
  a.logtype === b.logtype &&
  a.instance === b.instance &&
  a.srcHost === b.srcHost &&
  a.dstHost === b.dstHost &&
  a.dstPort === b.dstPort &&
  a.boot === b.boot
