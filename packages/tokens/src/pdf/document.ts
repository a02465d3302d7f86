// A PDF that somebody uploaded: its objects as texts, found by its own tables or, where these are wrong, by what begins an object.
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'
import {
  objectHeadAt,
  readCrossReferences,
  streamAt,
  type CrossReferences,
  type PdfPlace,
} from './cross-references.ts'
import { openCipher, type PdfCipher } from './encryption.ts'
import { scanObjects } from './scan.ts'
import { unpacker, type Unpack } from './streams.ts'
import {
  asInteger,
  asName,
  asReference,
  BrokenPdf,
  entriesOf,
  integerAt,
  itemsOf,
  objectAt,
  stringBytes,
  type PdfDictionary,
  type PdfText,
} from './syntax.ts'

/** An object of its own. */
export interface PdfObject {
  readonly number: number
  readonly generation: number
  readonly text: PdfText
  /** It lies in a stream of objects. */
  readonly isPacked: boolean
}

export interface PdfDocument extends CrossReferences {
  readonly bytes: Buffer
  /** Undefined for a document that is not encrypted. */
  readonly cipher: PdfCipher | undefined
  /** The object of the number; undefined where there is none. */
  readonly object: (number: number | undefined) => PdfObject | undefined
  /** The text itself, or that of the object to which it refers. */
  readonly resolve: (text: PdfText | undefined) => PdfText | undefined
}

/**
 * Opens the document and looks for what `find` wants: first by its own tables, then by what begins an object. Throws
 * `UnusableFile` where neither finds it.
 */
export function openPdf<T>(bytes: Buffer, find: (document: PdfDocument) => T): T {
  try {
    try {
      return find(openByTables(bytes))
    } catch (error) {
      if (!(error instanceof BrokenPdf)) throw error
      return find(openByScan(bytes))
    }
  } catch (error) {
    if (!(error instanceof BrokenPdf)) throw error
    throw new UnusableFile(
      'must be a PDF whose first page can be found: qpdf in.pdf out.pdf, or printing it into a new PDF, repairs what can be repaired',
      { cause: error },
    )
  }
}

/** The document as its tables have it. */
function openByTables(bytes: Buffer): PdfDocument {
  const unpack = unpacker()
  return documentOf(bytes, readCrossReferences(bytes, unpack), unpack)
}

/** The document as a scan finds it: the objects of streams are added once their streams can be read. */
function openByScan(bytes: Buffer): PdfDocument {
  const { objects, trailer: found } = scanObjects(bytes)
  const places = new Map<number, PdfPlace>()
  for (const [number, { offset, generation }] of objects)
    places.set(number, { type: 'file', offset, generation })
  const trailer = new Map(found)
  const document = documentOf(bytes, { places, trailer, isStream: false, start: undefined }, unpacker())
  for (const [stream, { type }] of objects)
    if (type === 'ObjStm')
      for (const [index, number] of [...(attempt(() => document.packedIn(stream)) ?? []).keys()].entries())
        if (places.get(number)?.type !== 'file') places.set(number, { type: 'packed', stream, index })
  if (asReference(trailer.get('Root')) === undefined) {
    const typeOf = (number: number): string | undefined => {
      const text = document.object(number)?.text
      return text?.[0] === 0x3c ? asName(entriesOf(text).get('Type')) : undefined
    }
    const isCatalog = ([number, { type }]: [number, PdfPlace]): boolean =>
      (type === 'file' ? objects.get(number)?.type : attempt(() => typeOf(number))) === 'Catalog'
    const [catalog] = [...places].findLast(isCatalog) ?? []
    if (catalog !== undefined) trailer.set('Root', Buffer.from(`${catalog} 0 R`))
  }
  return document
}

/** What one broken object does not keep from the others. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof BrokenPdf) return undefined
    throw error
  }
}

/** Objects of a stream by their numbers: where each begins in it. */
type PackedObjects = ReadonlyMap<number, { readonly content: Buffer; readonly from: number }>

/** Of the texts of objects: a document that refers to the same one again and again is not read to its end. */
const MAX_READ_BYTES = 64 * 1024 * 1024
/** Of references to references. */
const MAX_STEPS = 16

function documentOf(
  bytes: Buffer,
  references: CrossReferences,
  unpack: Unpack,
): PdfDocument & { readonly packedIn: (stream: number) => PackedObjects } {
  const streams = new Map<number, PackedObjects>()
  /** Set once the trailer can be read. */
  const opened: { cipher?: PdfCipher | undefined } = {}
  let left = MAX_READ_BYTES
  const read = (content: Buffer, from: number): PdfText => {
    if (left < 0) throw new BrokenPdf('the document refers to the same objects too often')
    const { text } = objectAt(content, from)
    left -= text.length
    return text
  }
  const headOf = (number: number) => {
    const place = references.places.get(number)
    if (place?.type !== 'file') return undefined
    const head = objectHeadAt(bytes, place.offset)
    if (head.number !== number) throw new BrokenPdf('an object is not at its place')
    return head
  }
  const lengthOf = (text: PdfText | undefined): number | undefined => {
    const head = headOf(asReference(text) ?? -1)
    return asInteger(head ? objectAt(bytes, head.to).text : text)
  }
  const packedIn = (stream: number): PackedObjects => {
    const known = streams.get(stream)
    if (known) return known
    const head = headOf(stream)
    if (!head) throw new BrokenPdf('a stream of objects is missing')
    const { dictionary, packed } = streamAt(bytes, head.to, lengthOf)
    const plain = opened.cipher?.decryptStream(stream, head.generation, packed) ?? packed
    const found = objectsIn(unpack(dictionary, plain), dictionary)
    streams.set(stream, found)
    return found
  }
  const object = (number = -1): PdfObject | undefined => {
    const place = references.places.get(number)
    if (place?.type === 'packed') {
      const packed = packedIn(place.stream).get(number)
      return packed && { number, generation: 0, text: read(packed.content, packed.from), isPacked: true }
    }
    const head = headOf(number)
    return head && { ...head, text: read(bytes, head.to), isPacked: false }
  }
  const resolve = (text: PdfText | undefined): PdfText | undefined => {
    let resolved = text
    for (let step = 0; step < MAX_STEPS; step++) {
      const number = asReference(resolved)
      if (number === undefined) return resolved
      resolved = object(number)?.text
    }
    throw new BrokenPdf('a reference leads to no object')
  }
  opened.cipher = cipherOf(references.trailer, resolve)
  return { ...references, bytes, cipher: opened.cipher, object, resolve, packedIn }
}

/** Pairs of number and offset, then the objects (7.5.7). */
function objectsIn(content: Buffer, dictionary: PdfDictionary): PackedObjects {
  const first = asInteger(dictionary.get('First')) ?? 0
  const count = asInteger(dictionary.get('N')) ?? 0
  const objects = new Map<number, { readonly content: Buffer; readonly from: number }>()
  for (let n = 0, at = 0; n < count; n++) {
    const number = integerAt(content, at)
    const offset = integerAt(content, number.to)
    objects.set(number.value, { content, from: first + offset.value })
    at = offset.to
  }
  return objects
}

function cipherOf(trailer: PdfDictionary, resolve: PdfDocument['resolve']): PdfCipher | undefined {
  const encrypt = resolve(trailer.get('Encrypt'))
  if (encrypt?.[0] !== 0x3c) return undefined
  const entries = [...entriesOf(encrypt)].map(([name, value]) => [name, resolve(value) ?? value] as const)
  const ids = resolve(trailer.get('ID'))
  const [id] = ids ? itemsOf(ids) : []
  return openCipher(new Map(entries), id ? stringBytes(id) : Buffer.alloc(0))
}
