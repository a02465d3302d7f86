// Where the objects of a PDF lie, as its own tables say (ISO 32000-1, 7.5.4 to 7.5.8): from the last update back to the first.
import type { Unpack } from './streams.ts'
import {
  asInteger,
  asName,
  BrokenPdf,
  entriesOf,
  integerAt,
  itemsOf,
  objectAt,
  skipSpace,
  tokenAt,
  type PdfDictionary,
} from './syntax.ts'

export type PdfPlace =
  | { readonly type: 'file'; readonly offset: number; readonly generation: number }
  | { readonly type: 'packed'; readonly stream: number; readonly index: number }

export interface CrossReferences {
  readonly places: ReadonlyMap<number, PdfPlace>
  /** The entries of the last trailer. */
  readonly trailer: PdfDictionary
  /** The last update is a stream, so that the next one is one, too. */
  readonly isStream: boolean
  /** Where the last update begins; undefined where the document's own tables are of no use. */
  readonly start: number | undefined
}

/** A document has one more with each update. */
const MAX_SECTIONS = 1_024
/** Of objects (annex C.2). */
export const MAX_NUMBER = 8_388_607

/** Throws `BrokenPdf` for tables that are missing or wrong. */
export function readCrossReferences(bytes: Buffer, unpack: Unpack): CrossReferences {
  const keyword = bytes.lastIndexOf('startxref')
  if (keyword < 0) throw new BrokenPdf('startxref is missing')
  const start = integerAt(bytes, keyword + 9).value
  const places = new Map<number, PdfPlace | undefined>()
  const sections: Section[] = []
  const seen = new Set<number>()
  const next = [start]
  for (let at = next.shift(); at !== undefined; at = next.shift()) {
    if (seen.has(at)) continue
    seen.add(at)
    if (seen.size > MAX_SECTIONS) throw new BrokenPdf('there are too many updates')
    const section = sectionAt(bytes, at, places, unpack)
    sections.push(section)
    // A table may have a stream next to it, which comes before what is older.
    for (const name of ['XRefStm', 'Prev']) {
      const offset = asInteger(section.trailer.get(name))
      if (offset !== undefined) next.push(offset)
    }
  }
  const [last] = sections
  if (!last) throw new BrokenPdf('there is no table of objects')
  const known = [...places].filter((entry): entry is [number, PdfPlace] => entry[1] !== undefined)
  return { places: new Map(known), ...last, start }
}

interface Section {
  readonly trailer: PdfDictionary
  readonly isStream: boolean
}

/** Adds the places of a section; those of newer ones stay. */
function sectionAt(
  bytes: Buffer,
  at: number,
  places: Map<number, PdfPlace | undefined>,
  unpack: Unpack,
): Section {
  const add = (number: number, place: PdfPlace | undefined): void => {
    if (number > MAX_NUMBER) throw new BrokenPdf('an object has too high a number')
    if (!places.has(number)) places.set(number, place)
  }
  const begin = tokenAt(bytes, at)
  if (begin.text === 'xref') return { trailer: readTable(bytes, begin.to, add), isStream: false }
  return { trailer: readStream(bytes, at, add, unpack), isStream: true }
}

type Add = (number: number, place: PdfPlace | undefined) => void

function readTable(bytes: Buffer, from: number, add: Add): PdfDictionary {
  for (let at = from; ;) {
    const first = tokenAt(bytes, at)
    if (first.text === 'trailer') return entriesOf(objectAt(bytes, first.to).text)
    const number = integerAt(bytes, at)
    const count = integerAt(bytes, number.to)
    at = count.to
    for (let n = 0; n < count.value; n++) {
      const offset = integerAt(bytes, at)
      const generation = integerAt(bytes, offset.to)
      const type = tokenAt(bytes, generation.to)
      if (type.text !== 'n' && type.text !== 'f') throw new BrokenPdf('a table of objects is broken')
      const place = { type: 'file', offset: offset.value, generation: generation.value } as const
      add(number.value + n, type.text === 'n' ? place : undefined)
      at = type.to
    }
  }
}

function readStream(bytes: Buffer, from: number, add: Add, unpack: Unpack): PdfDictionary {
  const { dictionary, packed } = streamAt(bytes, objectHeadAt(bytes, from).to, asInteger)
  if (asName(dictionary.get('Type')) !== 'XRef') throw new BrokenPdf('there is no table of objects')
  const content = unpack(dictionary, packed)
  const widths = itemsOf(dictionary.get('W') ?? Buffer.alloc(0)).map((width) => asInteger(width) ?? -1)
  const [typeBytes = -1, firstBytes = -1, secondBytes = -1] = widths
  const rowBytes = typeBytes + firstBytes + secondBytes
  if (widths.some((width) => width < 0 || width > 6) || widths.length !== 3 || rowBytes === 0)
    throw new BrokenPdf('a table of objects is broken')
  const index = dictionary.get('Index')
  const ranges = index
    ? itemsOf(index).map((item) => asInteger(item) ?? 0)
    : [0, asInteger(dictionary.get('Size')) ?? 0]
  let at = 0
  const read = (width: number): number => {
    const value = width === 0 ? 0 : content.readUIntBE(at, width)
    at += width
    return value
  }
  for (let range = 0; range + 1 < ranges.length; range += 2)
    for (let n = 0; n < (ranges[range + 1] ?? 0) && at + rowBytes <= content.length; n++) {
      const type = typeBytes === 0 ? 1 : read(typeBytes)
      const [first, second] = [read(firstBytes), read(secondBytes)]
      add((ranges[range] ?? 0) + n, placeOf(type, first, second))
    }
  return dictionary
}

function placeOf(type: number, first: number, second: number): PdfPlace | undefined {
  if (type === 1) return { type: 'file', offset: first, generation: second }
  return type === 2 ? { type: 'packed', stream: first, index: second } : undefined
}

/** `<number> <generation> obj`. */
export function objectHeadAt(bytes: Buffer, from: number) {
  const number = integerAt(bytes, from)
  const generation = integerAt(bytes, number.to)
  const keyword = tokenAt(bytes, generation.to)
  if (!keyword.text.startsWith('obj')) throw new BrokenPdf('an object is not at its place')
  // Some programs write the object without a blank.
  return { number: number.value, generation: generation.value, to: keyword.to - keyword.text.length + 3 }
}

/** A stream's dictionary and bytes; `lengthOf` reads its length, which may be an object of its own. */
export function streamAt(
  bytes: Buffer,
  from: number,
  lengthOf: (text: Buffer | undefined) => number | undefined,
): { readonly dictionary: PdfDictionary; readonly packed: Buffer } {
  const { text, to } = objectAt(bytes, from)
  const dictionary = entriesOf(text)
  const keyword = skipSpace(bytes, to)
  if (bytes.toString('latin1', keyword, keyword + 6) !== 'stream') throw new BrokenPdf('a stream is missing')
  let start = keyword + 6
  if (bytes[start] === 13) start++
  if (bytes[start] === 10) start++
  const length = lengthOf(dictionary.get('Length')) ?? -1
  const end = skipSpace(bytes, start + Math.max(0, length))
  const isRight = length >= 0 && bytes.toString('latin1', end, end + 9) === 'endstream'
  const stop = isRight ? start + length : bytes.indexOf('endstream', start)
  if (stop < 0) throw new BrokenPdf('a stream has no end')
  return { dictionary, packed: bytes.subarray(start, stop) }
}
