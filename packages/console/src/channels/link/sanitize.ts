// Texts and fields that a Bird sends, made safe to store and to show.
import { isIP } from 'node:net'
import type { EventFields, EventValue } from '@rookery/kernel/touch.ts'

/** Control characters, line separators, and characters that change the writing direction. */
const CONTROL = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The text without control characters and lone surrogates, at most `maxLength` characters. */
export const sanitizeText = (text: string, maxLength = 255): string =>
  text.slice(0, maxLength).replace(CONTROL, '').toWellFormed()

/** The addresses of a list, without zones. Anything else is left out: firewalls are fed from these lists. */
export const addressesIn = (text: string): string =>
  text
    .split(',')
    .map((part) => part.trim().replace(/%.*$/, ''))
    .filter((part) => isIP(part) !== 0)
    .join(',')

const MAX_DEPTH = 6

/** The fields of an event as the incident engine takes them: no null, nothing nested deeper than six levels. */
export const sanitizeFields = (fields: Readonly<Record<string, unknown>>): EventFields =>
  sanitizeValue(fields, 0) as EventFields

function sanitizeValue(value: unknown, depth: number): EventValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value === null || value === undefined) return ''
  if (depth >= MAX_DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item) => sanitizeValue(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sanitizeValue(item, depth + 1)]))
}
