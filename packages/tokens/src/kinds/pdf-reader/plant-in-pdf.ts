// Gives the first page of a PDF an address that Acrobat looks up: appended as an update, so that every byte before it stays.
import { PDFDict, PDFDocument, PDFName, PDFString, ParseSpeeds } from '@cantoo/pdf-lib'
import { UnusableFile } from '../../unusable-file.ts'

const ADDITIONAL_ACTIONS = PDFName.of('AA')
const OPEN = PDFName.of('O')

/** Throws `UnusableFile` for a document that is encrypted, signed (an update voids its signature) or cannot be read. */
export async function plantInPdf(bytes: Uint8Array, url: string): Promise<Uint8Array> {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!given.subarray(0, 5).equals(Buffer.from('%PDF-')))
    throw new UnusableFile('must be a PDF that begins with %PDF-')
  // The bytes that a signature covers are named in the clear, never in a compressed object (ISO 32000-1, 12.8.1).
  if (given.includes('/ByteRange')) throw new UnusableFile('must be a PDF without a digital signature')
  const hasTable = hasCrossReferenceTable(given)
  const pdf = await load(given)
  if (pdf.isEncrypted) throw new UnusableFile('must be a PDF that is not encrypted')
  try {
    addAction(pdf, url)
    return await pdf.commit({ useObjectStreams: !hasTable })
  } catch (error) {
    throw unreadable(error)
  }
}

async function load(bytes: Buffer): Promise<PDFDocument> {
  try {
    return await PDFDocument.load(bytes, {
      forIncrementalUpdate: true,
      ignoreEncryption: true,
      updateMetadata: false,
      parseSpeed: ParseSpeeds.Fastest,
    })
  } catch (error) {
    throw unreadable(error)
  }
}

/** The library throws errors of many types for what a stranger made. */
function unreadable(error: unknown): UnusableFile {
  const reason = error instanceof Error ? error.message.slice(0, 100) : 'for an unknown reason'
  return new UnusableFile(`must be a PDF that can be read: ${reason}`, { cause: error })
}

/** An update continues in the way of the last one: a table (ISO 32000-1, 7.5.4) or a stream (7.5.8). */
function hasCrossReferenceTable(bytes: Buffer): boolean {
  const offset = /startxref\s+(\d{1,10})\s/.exec(
    bytes.toString('latin1', bytes.lastIndexOf('startxref')),
  )?.[1]
  if (offset === undefined) throw new UnusableFile('must be a PDF that is whole: startxref is missing')
  return bytes.toString('latin1', Number(offset), Number(offset) + 4) === 'xref'
}

/** Before the action that the page may have already, which follows it. */
function addAction(pdf: PDFDocument, url: string): void {
  const { context } = pdf
  const { node } = pdf.getPage(0)
  const actions = node.lookupMaybe(ADDITIONAL_ACTIONS, PDFDict)
  const next = actions?.get(OPEN)
  const action = context.obj({ S: 'URI', URI: PDFString.of(url), ...(next && { Next: next }) })
  const planted = PDFDict.fromMapWithContext(new Map(actions?.asMap()), context)
  // An object of its own gets the highest number, of which the library reckons the trailer's Size.
  planted.set(OPEN, context.register(action))
  node.set(ADDITIONAL_ACTIONS, planted)
}
