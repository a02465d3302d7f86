// An event before it has its number, and its JSON text.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { SpooledEvent } from '@rookery/link/messages.ts'

/** Its fields stand last: the logtype comes before what an intruder writes. */
export type NewEvent = Omit<SpooledEvent, 'seq' | 'fields'> & { readonly fields: EventFields }

/**
 * Answers what `JSON.stringify` would, with the number as the first member. Events of one piece of input differ in number
 * and fields alone: what they share is written once for all of them.
 */
export function eventJson(): (seq: number, event: NewEvent) => string {
  let last: NewEvent | undefined
  let envelope = ''

  return (seq, event) => {
    if (!last || !isSameEnvelope(last, event)) {
      const { fields: _, ...rest } = event
      envelope = `,${JSON.stringify(rest).slice(1, -1)},"fields":`
      last = event
    }
    return `{"seq":${seq}${envelope}${JSON.stringify(event.fields)}}`
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
