// Gives the first page of a PDF an address that Acrobat looks up: appended as an update, so that every byte before it stays.
import { openPdf, type PdfDocument, type PdfObject } from '../../pdf/document.ts'
import {
  asName,
  asReference,
  BrokenPdf,
  entriesOf,
  itemsOf,
  type PdfDictionary,
  type PdfText,
} from '../../pdf/syntax.ts'
import { withObject } from '../../pdf/update.ts'
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'

/** Throws `UnusableFile` for a document that opens with a password alone, is signed (an update voids its signature) or shows no page. */
export function plantInPdf(bytes: Uint8Array, url: string): Uint8Array {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // The bytes that a signature covers are named in the clear, never in a compressed object (ISO 32000-1, 12.8.1).
  if (given.includes('/ByteRange'))
    throw new UnusableFile('must be a PDF without a digital signature: print it into a new PDF first')
  // Readers count from the header on, whatever a mail or a server put in front of it.
  return openPdf(given.subarray(Math.max(0, given.indexOf('%PDF-'))), (document) => plant(document, url))
}

function plant(document: PdfDocument, url: string): Buffer {
  const page = firstPage(document)
  const entries = entriesOf(page.text)
  const given = entries.get('AA')
  // Actions of an object of their own are changed in their place: its texts are encrypted for it alone.
  const own = document.object(asReference(given))
  if (own) return withObject(document, own, withAction(document, own, entriesOf(own.text), url))
  const actions = given?.[0] === 0x3c ? entriesOf(given) : new Map<string, PdfText>()
  const planted = withAction(document, page, actions, url)
  return withObject(document, page, dictionaryOf(new Map([...entries, ['AA', planted]])))
}

/** The first leaf of the tree of pages. A node that was met before is passed by: a tree may lead to itself. */
function firstPage({ object, resolve, trailer }: PdfDocument): PdfObject {
  const catalog = resolve(trailer.get('Root'))
  const met = new Set<number | undefined>()
  const waiting = [catalog && entriesOf(catalog).get('Pages')]
  while (waiting.length > 0) {
    const number = asReference(waiting.pop())
    const node = met.has(number) ? undefined : object(number)
    met.add(number)
    if (node?.text[0] !== 0x3c) continue
    const entries = entriesOf(node.text)
    const kids = resolve(entries.get('Kids'))
    if (kids) for (const kid of itemsOf(kids).toReversed()) waiting.push(kid)
    else if (asName(entries.get('Type')) !== 'Pages') return node
  }
  throw new BrokenPdf('there is no page')
}

/** Before the action that the page may have already, which follows it. */
function withAction({ cipher }: PdfDocument, at: PdfObject, actions: PdfDictionary, url: string): Buffer {
  const { number, generation, isPacked } = at
  const plain = Buffer.from(url)
  const shown = isPacked ? plain : (cipher?.encryptString(number, generation, plain) ?? plain)
  const uri = shown === plain ? `(${url.replace(/[\\()]/g, '\\$&')})` : `<${shown.toString('hex')}>`
  const next = actions.get('O')
  const action = dictionaryOf(
    new Map([
      ...Object.entries({ S: '/URI', URI: uri }).map(([name, value]) => [name, Buffer.from(value)] as const),
      ...(next ? [['Next', next] as const] : []),
    ]),
  )
  return dictionaryOf(new Map([...actions, ['O', action]]))
}

const dictionaryOf = (entries: PdfDictionary): Buffer =>
  Buffer.concat([
    Buffer.from('<<'),
    ...[...entries].flatMap(([name, value]) => [Buffer.from(`/${escapedName(name)} `, 'latin1'), value]),
    Buffer.from('>>'),
  ])

const escapedName = (name: string): string =>
  name.replace(
    /[^!-~]|[#()<>[\]{}/%]/g,
    (character) => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
