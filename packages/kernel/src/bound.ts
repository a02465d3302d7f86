// Intruders write what events carry: values are cut before they reach the spool.
import type { EventFields, EventValue } from './touch.ts'

const VALUE_BYTES = 4096
const EVENT_BYTES = 16_384
/** A character takes at most six bytes of JSON (`\u0000`). */
const BYTES_PER_CHARACTER = 6
const NUMBER_BYTES = 24

/**
 * The same fields with every value at most 4 KiB and the whole at most 16 KiB of JSON. A value that is cut ends in
 * `…[+N bytes]` (N bytes of UTF-8 left out; behaviour of the API, section 5), and the fields then carry `truncated: true`.
 */
export function bounded(fields: EventFields): EventFields {
  if (longest(fields) <= VALUE_BYTES) return fields
  let limit = VALUE_BYTES
  let cut = shorten(fields, limit)
  while (size(cut) > EVENT_BYTES && limit > 64) cut = shorten(fields, (limit /= 2))
  return cut
}

/** No less than the bytes of JSON that the fields take, found without writing them: most events are far below every bound. */
function longest(fields: EventFields): number {
  let bytes = 2
  for (const key in fields) {
    const value = fields[key]
    bytes += BYTES_PER_CHARACTER * key.length + 4
    if (typeof value === 'string') bytes += BYTES_PER_CHARACTER * value.length + 2
    else if (typeof value !== 'object') bytes += NUMBER_BYTES
    else if (isTexts(value)) bytes += longest(value)
    else return Infinity
  }
  return bytes
}

const size = (value: EventValue): number => Buffer.byteLength(JSON.stringify(value))

function shorten(fields: EventFields, limit: number): EventFields {
  const kept: Record<string, EventValue> = {}
  let isCut = false
  for (const [key, value] of Object.entries(fields)) {
    kept[key] = shortenValue(value, limit)
    if (kept[key] !== value) isCut = true
  }
  return isCut ? { ...kept, truncated: true } : fields
}

/** A map of texts (header fields) keeps its shape, each of its texts cut; anything else too long becomes text. */
function shortenValue(value: EventValue, limit: number): EventValue {
  if (typeof value === 'string')
    return value.length <= limit && size(value) <= limit ? value : shortenText(value, limit)
  if (size(value) <= limit) return value
  if (isTexts(value)) {
    const cut = Object.fromEntries(
      Object.entries(value).map(([key, text]) => [key, shortenValue(text, limit / 4)]),
    )
    if (size(cut) <= 2 * limit) return cut
  }
  return shortenText(JSON.stringify(value), limit)
}

function isTexts(value: EventValue): value is Readonly<Record<string, string>> {
  if (typeof value !== 'object' || Array.isArray(value)) return false
  const map = value as Readonly<Record<string, EventValue>>
  for (const key in map) if (typeof map[key] !== 'string') return false
  return true
}

function shortenText(text: string, limit: number): string {
  // The longest start that fits with its mark, found by halving: the mark is as long as the number in it.
  const bytes = Buffer.byteLength(text)
  let low = startWithin(text, limit - MAX_MARK)
  let high = Math.min(text.length, low + MAX_MARK)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (size(marked(text, bytes, middle)) <= limit) low = middle
    else high = middle - 1
  }
  return marked(text, bytes, low)
}

/** Bytes of JSON, with the quotes. */
const MAX_MARK = size(`…[+${Number.MAX_SAFE_INTEGER} bytes]`)

/** The length of the longest start that takes no more bytes of JSON. */
function startWithin(text: string, bytes: number): number {
  let [at, left] = [0, bytes]
  for (let point = text.codePointAt(0); point !== undefined; point = text.codePointAt(at)) {
    left -= bytesOf(point)
    if (left < 0) break
    at += point > 0xffff ? 2 : 1
  }
  return at
}

/** Of ASCII, as JSON writes it: controls are escaped by two or six characters. */
const ASCII_BYTES = Uint8Array.from({ length: 0x80 }, (_, code) => size(String.fromCharCode(code)) - 2)

/** A surrogate without its pair is escaped. */
function bytesOf(point: number): number {
  if (point < 0x80) return ASCII_BYTES[point]!
  if (point >= 0xd800 && point < 0xe000) return BYTES_PER_CHARACTER
  return point < 0x800 ? 2 : point > 0xffff ? 4 : 3
}

/** `bytes`: of the whole text in UTF-8. */
function marked(text: string, bytes: number, length: number): string {
  const isInsidePair = /[\uD800-\uDBFF]/.test(text.charAt(length - 1))
  const kept = text.slice(0, isInsidePair ? length - 1 : length)
  return `${kept}…[+${bytes - Buffer.byteLength(kept)} bytes]`
}
