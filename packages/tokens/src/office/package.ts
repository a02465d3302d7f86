// An Office document: a ZIP archive of parts, tied by relationships (ECMA-376, part 2).
import { UnusableFile } from '../unusable-file.ts'
import { attributeOf, escapeXml, xmlTags, type XmlTag } from '../xml/tags.ts'
import { withContent, zipEntry, type ZipEntry } from '../zip/entry.ts'
import { readZip, unpack, verifyZip } from '../zip/read.ts'

const LIMITS = { entries: 2_000, unpackedBytes: 100 * 1024 * 1024, ratio: 100 }
/** Of a part that is read as XML: a document of some thousand pages. */
const MAX_PART_BYTES = 16 * 1024 * 1024
const ROOT = '_rels/.rels'
const CONTENT_TYPES = '[Content_Types].xml'

/** The parts of an uploaded document; throws `UnusableFile`, for a signed one as well: an edit breaks its signature. */
export async function readParts(bytes: Uint8Array): Promise<ZipEntry[]> {
  const parts = readZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), LIMITS)
  if (!parts.some(({ name }) => name === CONTENT_TYPES))
    throw new UnusableFile('must be an Office document, not another ZIP archive')
  if (parts.some(({ name }) => name.toLowerCase().startsWith('_xmlsignatures/')))
    throw new UnusableFile('must be a document without a digital signature')
  await verifyZip(parts)
  return parts
}

/** The bytes of a part that is XML. */
export function readXml(parts: readonly ZipEntry[], name: string): Buffer {
  const part = parts.find((it) => it.name.toLowerCase() === name.toLowerCase())
  if (!part) throw new UnusableFile(`must be a document that has the part ${name}`)
  return unpack(part, MAX_PART_BYTES)
}

/** The name of the main part, whose content type must be this one. */
export function mainPart(parts: readonly ZipEntry[], contentType: string): string {
  const isMain = (tag: XmlTag): boolean => attributeOf(tag, 'Type')?.endsWith('/officeDocument') === true
  const relationship = xmlTags(readXml(parts, ROOT), ROOT).find(isMain)
  const target = relationship && attributeOf(relationship, 'Target')
  if (target === undefined) throw new UnusableFile('must be a document that names its main part')
  const name = target.replace(/^\/|^\.\//, '')
  const found = contentTypeOf(parts, name)
  if (found !== contentType)
    throw new UnusableFile(`must be a document of the content type ${contentType}, not ${found ?? 'of none'}`)
  return name
}

function contentTypeOf(parts: readonly ZipEntry[], part: string): string | undefined {
  for (const tag of xmlTags(readXml(parts, CONTENT_TYPES), CONTENT_TYPES))
    if (attributeOf(tag, 'PartName')?.toLowerCase() === `/${part.toLowerCase()}`)
      return attributeOf(tag, 'ContentType')
  return undefined
}

export const withPart = (parts: readonly ZipEntry[], name: string, content: Uint8Array): ZipEntry[] =>
  parts.map((part) => (part.name.toLowerCase() === name.toLowerCase() ? withContent(part, content) : part))

interface Relationship {
  readonly id: string
  readonly type: string
  readonly target: string
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Adds relationships of a part to what lies outside the document. */
export function addExternal(
  parts: readonly ZipEntry[],
  part: string,
  relationships: readonly Relationship[],
): ZipEntry[] {
  const name = relationshipsOf(part)
  const elements = (prefix: string): string =>
    relationships
      .map(
        ({ id, type, target }) =>
          `<${prefix}Relationship Id="${id}" Type="${type}" Target="${escapeXml(target)}" TargetMode="External"/>`,
      )
      .join('')
  if (!parts.some((it) => it.name.toLowerCase() === name.toLowerCase()))
    return [
      ...parts,
      zipEntry(name, `${XML}<Relationships xmlns="${PACKAGE}">${elements('')}</Relationships>`),
    ]
  const xml = readXml(parts, name)
  const root = xmlTags(xml, name).find(({ type }) => type !== 'end')
  if (!root) throw new UnusableFile(`must be a document whose ${name} is well-formed XML`)
  const prefix = root.name.replace(/[^:]+$/, '')
  return withPart(parts, name, insertInto(xml, root, elements(prefix)))
}

/** Programs of Microsoft end this line as on Windows. */
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'

const NUMBERED = /^rId(\d{1,9})$/

/** `rId` and the number behind the highest one that the part's relationships have. */
export function freeRelationshipId(parts: readonly ZipEntry[], part: string): string {
  const name = relationshipsOf(part)
  if (!parts.some((it) => it.name.toLowerCase() === name.toLowerCase())) return 'rId1'
  const ids = Array.from(xmlTags(readXml(parts, name), name), (tag) => attributeOf(tag, 'Id') ?? '')
  const highest = ids.reduce((most, id) => Math.max(most, Number(NUMBERED.exec(id)?.[1] ?? 0)), 0)
  return `rId${highest + 1}`
}

/** `word/document.xml` has its relationships in `word/_rels/document.xml.rels`. */
const relationshipsOf = (part: string): string => part.replace(/[^/]+$/, (file) => `_rels/${file}.rels`)

/** The document with a text as the first content of an element. */
export function insertInto(xml: Buffer, { type, name, from, to }: XmlTag, text: string): Buffer {
  if (type !== 'empty') return insertAt(xml, to, text)
  const start = xml.toString('latin1', from, to).replace(/\/>$/, '>')
  return Buffer.concat([
    ...[xml.subarray(0, from), Buffer.from(start, 'latin1')],
    Buffer.from(`${text}</${name}>`),
    xml.subarray(to),
  ])
}

export const insertAt = (xml: Buffer, at: number, text: string): Buffer =>
  Buffer.concat([xml.subarray(0, at), Buffer.from(text), xml.subarray(at)])
