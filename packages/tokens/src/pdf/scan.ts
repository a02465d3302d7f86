// Finds the objects of a PDF whose own tables are wrong or missing, as readers do that repair one: by what begins an object.
import {
  asInteger,
  asName,
  BrokenPdf,
  entriesOf,
  objectAt,
  skipSpace,
  type PdfDictionary,
  type PdfText,
} from './syntax.ts'

export interface FoundObject {
  readonly generation: number
  readonly offset: number
  /** Of its dictionary, if it has one that begins it. */
  readonly type: string | undefined
}

export interface FoundObjects {
  /** By number: of two with the same, the later one counts. */
  readonly objects: ReadonlyMap<number, FoundObject>
  /** Entries of all trailers; those of later ones count. */
  readonly trailer: PdfDictionary
}

/** A longer dictionary is not read: nothing else bounds what a thousand of them without an end cost. */
const MAX_DICTIONARY_BYTES = 4_096
/** Behind its length: the line ends around it. */
const STREAM_ENDS_WITHIN = 32
const BEGINNINGS = /(?<!\d)(\d{1,7})[\s\0]{1,8}(\d{1,5})[\s\0]{1,8}obj|\btrailer\b/g

export function scanObjects(bytes: Buffer): FoundObjects {
  const text = bytes.toString('latin1')
  const objects = new Map<number, FoundObject>()
  const trailer = new Map<string, PdfText>()
  BEGINNINGS.lastIndex = 0
  for (let found = BEGINNINGS.exec(text); found; found = BEGINNINGS.exec(text)) {
    const head = headAt(bytes, BEGINNINGS.lastIndex)
    const type = asName(head?.dictionary.get('Type'))
    if (found[1] === undefined || type === 'XRef')
      for (const [name, value] of head?.dictionary ?? []) trailer.set(name, value)
    if (found[1] !== undefined)
      objects.set(Number(found[1]), { generation: Number(found[2]), offset: found.index, type })
    // What looks like an object inside a stream is none.
    if (head) BEGINNINGS.lastIndex = Math.max(BEGINNINGS.lastIndex, head.to)
  }
  return { objects, trailer }
}

/** The dictionary at a place, and where it ends, or its stream if that has a length. */
function headAt(
  bytes: Buffer,
  from: number,
): { readonly dictionary: PdfDictionary; readonly to: number } | undefined {
  const start = skipSpace(bytes.subarray(0, from + MAX_DICTIONARY_BYTES), from)
  if (bytes.toString('latin1', start, start + 2) !== '<<') return undefined
  try {
    const { text, to } = objectAt(bytes.subarray(0, start + MAX_DICTIONARY_BYTES), start)
    const dictionary = entriesOf(text)
    const length = asInteger(dictionary.get('Length')) ?? 0
    const isStream = bytes
      .toString('latin1', to, to + 16)
      .trimStart()
      .startsWith('stream')
    const end = isStream
      ? bytes.subarray(0, to + length + STREAM_ENDS_WITHIN).indexOf('endstream', to + length)
      : -1
    return { dictionary, to: Math.max(to, end) }
  } catch (error) {
    if (error instanceof BrokenPdf) return undefined
    throw error
  }
}
