// Values that every database stores: for what an intruder sent and a database refused as it was.
import type { EventFields, EventValue } from './touch.ts'

const TEXT_CHARACTERS = 500

/** At most 500 characters, each that is not printable ASCII replaced by `?`. */
export const printableText = (text: string): string =>
  text.slice(0, TEXT_CHARACTERS).replace(/[^\x20-\x7e]/g, '?')

/** The number if it is a safe integer, else -1. */
export const safeInteger = (value: number): number => (Number.isSafeInteger(value) ? value : -1)

/** The same map with printable names and values. */
export const printableTexts = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [printableText(name), printableText(value)]),
  )

/** The same event fields, lists and objects as their JSON; they then carry `sanitized: true`. */
export const sanitizedFields = (fields: EventFields): EventFields => ({
  ...Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [printableText(key), sanitizedValue(value)]),
  ),
  sanitized: true,
})

function sanitizedValue(value: EventValue): EventValue {
  if (typeof value === 'string') return printableText(value)
  if (typeof value === 'number') return safeInteger(value)
  if (typeof value === 'boolean') return value
  return printableText(JSON.stringify(value) ?? '')
}
