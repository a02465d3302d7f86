// What a Bird says is text from outside: without control characters, in form, and never deeper than we look.
import type { EventFields, EventValue } from '@rookery/kernel/touch.ts'

/** Control characters, separators of lines, and what turns the direction of writing: a name is read in lists. */
const CONTROL = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The text without control characters and half surrogates, at most `most` characters. */
export const plainText = (text: string, most = 255): string =>
  text.slice(0, most).replace(CONTROL, '').toWellFormed()

const DEEPEST = 6

/** The fields of an event as the engine takes them: no null, nothing nested deeper than six levels. */
export const plainFields = (fields: Readonly<Record<string, unknown>>): EventFields =>
  plainValue(fields, 0) as EventFields

function plainValue(value: unknown, depth: number): EventValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value === null || value === undefined) return ''
  if (depth >= DEEPEST) return '…'
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainValue(item, depth + 1)]))
}
