// Objects of a PDF as their texts (ISO 32000-1, 7.2 and 7.3): what an edit does not know stays as it was written. Every reading is
// one pass over the bytes, and nothing calls itself.

/** What does not read as a PDF; the caller may look for the objects in another way. */
export class BrokenPdf extends Error {}

/** The text of an object, or of many. */
export type PdfText = Buffer

const SPACE = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set(Buffer.from('()<>[]{}/%'))
const [OPEN, CLOSE, BACKSLASH, LESS, GREATER, PERCENT] = [0x28, 0x29, 0x5c, 0x3c, 0x3e, 0x25]

const isRegular = (byte: number): boolean => !SPACE.has(byte) && !DELIMITERS.has(byte)

/** Behind white space and comments. */
export function skipSpace(bytes: PdfText, from: number): number {
  let at = from
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === PERCENT) while (at + 1 < bytes.length && bytes[at + 1] !== 10 && bytes[at + 1] !== 13) at++
    else if (!SPACE.has(byte)) break
  }
  return at
}

/** Behind the token that begins at `from`. */
function endOfToken(bytes: PdfText, from: number): number {
  const first = bytes[from]
  if (first === undefined) throw new BrokenPdf('an object ends too early')
  if (first === OPEN) return endOfString(bytes, from)
  const isDouble = (first === LESS || first === GREATER) && bytes[from + 1] === first
  if (isDouble) return from + 2
  if (first === LESS) {
    const end = bytes.indexOf('>', from)
    if (end < 0) throw new BrokenPdf('a string has no end')
    return end + 1
  }
  if (DELIMITERS.has(first) && first !== 0x2f) return from + 1
  let at = from + 1
  while (at < bytes.length && isRegular(bytes[at] ?? 0)) at++
  return at
}

function endOfString(bytes: PdfText, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at++
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) return at + 1
  }
  throw new BrokenPdf('a string has no end')
}

/** The token behind `from`, and where it ends. */
export function tokenAt(bytes: PdfText, from: number): { readonly text: string; readonly to: number } {
  const start = skipSpace(bytes, from)
  const to = endOfToken(bytes, start)
  return { text: bytes.toString('latin1', start, to), to }
}

/** A whole number behind `from`, and where it ends. */
export function integerAt(bytes: PdfText, from: number): { readonly value: number; readonly to: number } {
  const { text, to } = tokenAt(bytes, from)
  if (!/^\+?\d{1,15}$/.test(text)) throw new BrokenPdf('a number is missing')
  return { value: Number(text), to }
}

/** The text of the object behind `from`; a reference is one object. */
export function objectAt(bytes: PdfText, from: number): { readonly text: PdfText; readonly to: number } {
  const start = skipSpace(bytes, from)
  let to = endOfToken(bytes, start)
  const first = bytes.toString('latin1', start, Math.min(to, start + 16))
  if (first === '<<' || first === '[') to = endOfNest(bytes, to)
  else if (/^\d{1,10}$/.test(first)) to = endOfReference(bytes, to) ?? to
  else if (/^(>>|[\])>{}])$/.test(first)) throw new BrokenPdf('an object is missing')
  return { text: bytes.subarray(start, to), to }
}

function endOfNest(bytes: PdfText, from: number): number {
  let to = from
  for (let depth = 1; depth > 0;) {
    const token = tokenAt(bytes, to)
    if (token.text === '<<' || token.text === '[') depth++
    else if (token.text === '>>' || token.text === ']') depth--
    to = token.to
  }
  return to
}

/** Behind `<generation> R`, if that follows. */
function endOfReference(bytes: PdfText, from: number): number | undefined {
  const generationAt = skipSpace(bytes, from)
  let at = generationAt
  while (at < generationAt + 6 && isDigit(bytes[at])) at++
  if (at === generationAt) return undefined
  const letterAt = skipSpace(bytes, at)
  const isReference = bytes[letterAt] === 0x52 && !isRegular(bytes[letterAt + 1] ?? 32)
  return isReference ? letterAt + 1 : undefined
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

export type PdfDictionary = ReadonlyMap<string, PdfText>

/** The values of a dictionary by their names, without the slash. */
export function entriesOf(dictionary: PdfText): PdfDictionary {
  if (dictionary.toString('latin1', 0, 2) !== '<<') throw new BrokenPdf('a dictionary is missing')
  const entries = new Map<string, PdfText>()
  for (let at = 2; ;) {
    const { text, to } = tokenAt(dictionary, at)
    if (text === '>>') return entries
    if (!text.startsWith('/')) throw new BrokenPdf('the name of an entry is missing')
    const value = objectAt(dictionary, to)
    entries.set(nameOf(text), value.text)
    at = value.to
  }
}

const nameOf = (token: string): string =>
  token.slice(1).replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/** The objects of an array. */
export function itemsOf(array: PdfText): PdfText[] {
  if (array.toString('latin1', 0, 1) !== '[') throw new BrokenPdf('an array is missing')
  const items: PdfText[] = []
  for (let at = skipSpace(array, 1); array[at] !== 0x5d;) {
    const item = objectAt(array, at)
    items.push(item.text)
    at = skipSpace(array, item.to)
  }
  return items
}

/** The name that the text is, without its slash. */
export const asName = (text: PdfText | undefined): string | undefined =>
  text?.[0] === 0x2f ? nameOf(text.toString('latin1')) : undefined

/** The whole number that the text is. */
export function asInteger(text: PdfText | undefined): number | undefined {
  const value = text === undefined || text.length > 16 ? NaN : Number(text.toString('latin1'))
  return Number.isSafeInteger(value) ? value : undefined
}

/** The number of the object that the text refers to. */
export function asReference(text: PdfText | undefined): number | undefined {
  if (text === undefined || !isDigit(text[0]) || text.at(-1) !== 0x52) return undefined
  return integerAt(text, 0).value
}

const ESCAPES: ReadonlyMap<string, number> = new Map([
  ...([
    ['n', 10],
    ['r', 13],
    ['t', 9],
    ['b', 8],
    ['f', 12],
  ] as const),
])

/** The bytes of a string, in parentheses or hexadecimal (7.3.4). */
export function stringBytes(text: PdfText): Buffer {
  const inside = text.toString('latin1', 1, text.length - 1)
  if (text[0] === LESS) {
    const digits = inside.replace(/[^0-9a-f]/gi, '')
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  }
  const plain = inside.replace(
    /\r\n?|\\(?:([0-7]{1,3})|(\r\n?|\n)|([^]))/g,
    (_, octal?: string, lineEnd?: string, other?: string) => {
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff)
      if (lineEnd !== undefined) return ''
      if (other === undefined) return '\n'
      return String.fromCharCode(ESCAPES.get(other) ?? other.charCodeAt(0))
    },
  )
  return Buffer.from(plain, 'latin1')
}
