// A template: JSON with `{{Field}}` places, filled with the fields of the signed message. Inside a text a place is filled
// with text, elsewhere with a JSON value; either way escaped, so that no value changes what the JSON says. Pure.
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { cut } from '../message/facts.ts'
import type { Message } from '../message/message.ts'
import { alertPayload, PAYLOAD_FIELDS } from '../message/payload.ts'

/** A text of JSON, or a place outside of one. */
const PIECES = /"(?:[^"\\]|\\.)*"|\{\{([^{}"]*)\}\}/g
const PLACES = /\{\{([^{}"]*)\}\}/g
const MAX_PLACES = 100
/** Characters of a value inside a text. */
const VALUE = 4_000

export function fillTemplate(template: string, message: Message): string {
  const values = new Map<string, unknown>(Object.entries(alertPayload(message)))
  return fill(template, (field) => values.get(field))
}

/** A template that cannot be filled is a `bad-input` that says why. */
export function checkedTemplate(template: string): string {
  const places = Array.from(template.matchAll(PLACES), ([, field = '']) => field.trim())
  if (places.length > MAX_PLACES) throw wrong(`has ${places.length} places; it may have ${MAX_PLACES}`)
  const unknown = places.find((field) => !PAYLOAD_FIELDS.includes(field))
  if (unknown !== undefined)
    throw wrong(`has {{${unknown.slice(0, 60)}}}; a place is one of ${PAYLOAD_FIELDS.join(', ')}`)
  try {
    // Where null may stand, every value may.
    JSON.parse(fill(template, () => undefined))
  } catch (error) {
    throw wrong(`must be JSON once its places are filled: ${cut((error as Error).message, 200)}`)
  }
  return template
}

const fill = (template: string, valueOf: (field: string) => unknown): string =>
  template.replace(PIECES, (piece: string, bare: string | undefined) =>
    bare === undefined
      ? piece.replace(PLACES, (_, field: string) =>
          JSON.stringify(asText(valueOf(field.trim()))).slice(1, -1),
        )
      : JSON.stringify(valueOf(bare.trim()) ?? null),
  )

/** Facts are lines of label and value. */
function asText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return cut(value, VALUE)
  const isFacts = Array.isArray(value)
  return cut(
    isFacts ? value.map((fact: readonly string[]) => fact.join(': ')).join('\n') : JSON.stringify(value),
    VALUE,
  )
}

const wrong = (reason: string): Fault => invalidParameter('template', reason)
