// Finds texts of the outermost object of JSON that may not have arrived whole, without parsing it.
import { closingQuote, scanJson, type TextSpan } from './json-scan.ts'

const QUOTE = 0x22
/** A character takes at most so many bytes in a JSON text: `\u0061`. */
const ESCAPED_BYTES = 6
/** What is between the quotes of a JSON text (RFC 8259, 7). */
const ESCAPED_TEXT = /^(?:[^\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*$/

/**
 * The texts of these members (names of ASCII) that lie whole in the bytes. Of members of one name the first counts,
 * and one that is no text has none. Throws `bad-input` for what `scanJson` refuses.
 */
export function findTexts(bytes: Buffer, names: readonly string[]): ReadonlyMap<string, string> {
  const longest = ESCAPED_BYTES * Math.max(0, ...names.map(({ length }) => length))
  const seen = new Set<string>()
  const found = new Map<string, string>()
  scanJson(bytes, ({ open, close }, colon) => {
    const name = close - open - 1 <= longest ? decodeText(bytes, { open, close }) : undefined
    if (name === undefined || seen.has(name) || !names.includes(name)) return
    seen.add(name)
    const text = textAfter(bytes, colon)
    if (text !== undefined) found.set(name, text)
  })
  return found
}

/** The text that is the value behind this colon, if it is one and has arrived whole. */
function textAfter(bytes: Buffer, colon: number): string | undefined {
  let open = colon + 1
  while (isBlank(bytes[open])) open++
  if (bytes[open] !== QUOTE) return undefined
  const close = closingQuote(bytes, open)
  return close < bytes.length ? decodeText(bytes, { open, close }) : undefined
}

/** Blanks of JSON: space, tab, line feed, carriage return. */
const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

/** Undefined for what JSON does not allow in a text; an exception for each would take most of the time. */
function decodeText(bytes: Buffer, { open, close }: TextSpan): string | undefined {
  const content = bytes.toString('utf8', open + 1, close)
  if (!content.includes('\\')) return content
  return ESCAPED_TEXT.test(content) ? (JSON.parse(`"${content}"`) as string) : undefined
}
