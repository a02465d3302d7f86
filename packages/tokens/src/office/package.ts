// An Office document: a ZIP archive of parts, tied by relationships (ECMA-376, part 2).
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'
import { attributeOf, escapeXml, xmlTags, type XmlTag } from '../xml/tags.ts'
import { withContent, zipEntry, type ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { readZip, unpack, verifyZip } from '@rookery/kernel/zip/read.ts'
import { OFFICE_FORMATS, type OfficeFormatName } from './formats.ts'

const LIMITS = { entries: 2_000, unpackedBytes: 100 * 1024 * 1024, ratio: 100 }
/** Of a part that is read as XML: a document of some thousand pages. */
const MAX_PART_BYTES = 16 * 1024 * 1024
const CONTENT_TYPES = '[Content_Types].xml'

/** The parts of an uploaded document; throws `UnusableFile`, for a signed one as well: an edit breaks its signature. */
export async function readParts(bytes: Uint8Array): Promise<ZipEntry[]> {
  const parts = readZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), LIMITS)
  if (!parts.some(({ name }) => name === CONTENT_TYPES))
    throw new UnusableFile(
      'must be an Office document, not another ZIP archive: save it with Word, Excel or LibreOffice in a format of Office',
    )
  if (parts.some(({ name }) => name.toLowerCase().startsWith('_xmlsignatures/')))
    throw new UnusableFile(
      'must be a document without a digital signature: save a copy without one, with Word, Excel or LibreOffice',
    )
  await verifyZip(parts)
  return parts
}

/** The bytes of a part that is XML, in UTF-8. */
export function readXml(parts: readonly ZipEntry[], name: string): Buffer {
  const part = parts.find((it) => isNamed(it, name))
  if (!part) throw new UnusableFile(`must be a document that has the part ${name}`)
  return inUtf8(unpack(part, MAX_PART_BYTES))
}

/** Names of parts are the same in any case (ECMA-376, part 2, 6.2.2.3). */
const isNamed = (part: ZipEntry, name: string): boolean => part.name.toLowerCase() === name.toLowerCase()

/** The same document in the other encoding that a part may have (ECMA-376, part 2, 6.2.5): UTF-16, in either order of bytes. */
function inUtf8(xml: Buffer): Buffer {
  const [first, second] = xml
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
  if (!isBig && !isLittle) return xml
  const whole = xml.subarray(0, xml.length - (xml.length % 2))
  const text = (isBig ? Buffer.from(whole).swap16() : whole).toString('utf16le').replace(/^\ufeff/, '')
  return Buffer.from(text.replace(/^(<\?xml[^>]*?encoding\s*=\s*["'])[^"']*/, '$1UTF-8'))
}

export interface MainPart {
  readonly name: string
  /** Of the file. */
  readonly contentType: string
}

/** The main part, which must be of one of these formats. */
export function mainPart(parts: readonly ZipEntry[], formats: readonly OfficeFormatName[]): MainPart {
  const [main] = relatedParts(parts, '', 'officeDocument')
  if (!main) throw new UnusableFile('must be a document that names its main part')
  const found = contentTypeOf(parts, main.target)
  const format = formats.find((it) => OFFICE_FORMATS[it].mainPart === found)
  if (format === undefined)
    throw new UnusableFile(
      `must be a document of the format ${formats.join(', ')}, not one of the content type ${found ?? 'of none'}`,
    )
  return { name: main.target, contentType: OFFICE_FORMATS[format].file }
}

/** Of a part by its name, or else by its ending. */
function contentTypeOf(parts: readonly ZipEntry[], part: string): string | undefined {
  const ending = part.slice(part.lastIndexOf('.') + 1).toLowerCase()
  let byEnding: string | undefined
  for (const tag of xmlTags(readXml(parts, CONTENT_TYPES), CONTENT_TYPES)) {
    if (attributeOf(tag, 'PartName')?.toLowerCase() === `/${part.toLowerCase()}`)
      return attributeOf(tag, 'ContentType')
    if (attributeOf(tag, 'Extension')?.toLowerCase() === ending) byEnding = attributeOf(tag, 'ContentType')
  }
  return byEnding
}

/** The parts with another content type of one that has a type of its own. */
export function retyped(parts: readonly ZipEntry[], name: string, contentType: string): ZipEntry[] {
  const types = readXml(parts, CONTENT_TYPES)
  const { root, prefix } = rootOf(types, CONTENT_TYPES)
  const override = `<${prefix}Override PartName="/${escapeXml(name)}" ContentType="${contentType}"/>`
  for (const tag of xmlTags(types, CONTENT_TYPES))
    if (attributeOf(tag, 'PartName')?.toLowerCase() === `/${name.toLowerCase()}`) {
      const end = tag.type === 'start' ? override.replace('/>', '>') : override
      const replaced = Buffer.concat([types.subarray(0, tag.from), Buffer.from(end), types.subarray(tag.to)])
      return withPart(parts, CONTENT_TYPES, replaced)
    }
  return withPart(parts, CONTENT_TYPES, insertInto(types, root, override))
}

/** Adds a part with its content type. */
export function addPart(
  parts: readonly ZipEntry[],
  {
    name,
    content,
    contentType,
  }: { readonly name: string; readonly content: Uint8Array | string; readonly contentType: string },
): ZipEntry[] {
  return [...retyped(parts, name, contentType), zipEntry(name, content)]
}

/** `<folder>/<stem>1.xml`, or with the first higher number that is free. */
export function freePartName(parts: readonly ZipEntry[], stem: string): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number}.xml`
    if (!parts.some((part) => isNamed(part, name))) return name
  }
}

/** Relationships of a part to others, of a type by its last name: those of a package are of the part with an empty name. */
export function relatedParts(
  parts: readonly ZipEntry[],
  part: string,
  type: string,
): { readonly id: string; readonly target: string }[] {
  const name = relationshipsOf(part)
  if (!parts.some((it) => isNamed(it, name))) return []
  return Array.from(xmlTags(readXml(parts, name), name)).flatMap((tag) => {
    const target = attributeOf(tag, 'Target')
    const isWanted =
      attributeOf(tag, 'Type')?.endsWith(`/${type}`) && attributeOf(tag, 'TargetMode') !== 'External'
    return isWanted && target !== undefined
      ? [{ id: attributeOf(tag, 'Id') ?? '', target: resolved(part, target) }]
      : []
  })
}

/** The name of a part as another one gives it: from the root, or from the folder of that one. */
function resolved(part: string, target: string): string {
  try {
    return decodeURIComponent(new URL(target, `part:///${part}`).pathname).replace(/^\/+/, '')
  } catch (error) {
    throw new UnusableFile(`must be a document whose ${part || 'package'} names its parts`, { cause: error })
  }
}

export const withPart = (parts: readonly ZipEntry[], name: string, content: Uint8Array): ZipEntry[] =>
  parts.map((part) => (isNamed(part, name) ? withContent(part, content) : part))

interface Relationship {
  readonly id: string
  readonly type: string
  readonly target: string
  /** It lies outside the document. */
  readonly isExternal?: boolean
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Adds relationships of a part. */
export function addRelationships(
  parts: readonly ZipEntry[],
  part: string,
  relationships: readonly Relationship[],
): ZipEntry[] {
  const name = relationshipsOf(part)
  const elements = (prefix: string): string =>
    relationships
      .map(
        ({ id, type, target, isExternal }) =>
          `<${prefix}Relationship Id="${id}" Type="${type}" Target="${escapeXml(target)}"${isExternal ? ' TargetMode="External"' : ''}/>`,
      )
      .join('')
  if (!parts.some((it) => isNamed(it, name)))
    return [
      ...parts,
      zipEntry(name, `${XML}<Relationships xmlns="${PACKAGE}">${elements('')}</Relationships>`),
    ]
  const xml = readXml(parts, name)
  const { root, prefix } = rootOf(xml, name)
  return withPart(parts, name, insertInto(xml, root, elements(prefix)))
}

/** The root element, and the prefix of its name with the colon. */
export function rootOf(xml: Buffer, part: string): { readonly root: XmlTag; readonly prefix: string } {
  const root = xmlTags(xml, part).find(({ type }) => type !== 'end')
  if (!root) throw new UnusableFile(`must be a document whose ${part} is well-formed XML`)
  return { root, prefix: root.name.replace(/[^:]+$/, '') }
}

/** Programs of Microsoft end this line as on Windows. */
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'

const NUMBERED = /^rId(\d{1,9})$/

/** `rId` and the number behind the highest one that the part's relationships have. */
export function freeRelationshipId(parts: readonly ZipEntry[], part: string): string {
  const name = relationshipsOf(part)
  if (!parts.some((it) => isNamed(it, name))) return 'rId1'
  const ids = Array.from(xmlTags(readXml(parts, name), name), (tag) => attributeOf(tag, 'Id') ?? '')
  const highest = ids.reduce((most, id) => Math.max(most, Number(NUMBERED.exec(id)?.[1] ?? 0)), 0)
  return `rId${highest + 1}`
}

/** `word/document.xml` has its relationships in `word/_rels/document.xml.rels`, the package in `_rels/.rels`. */
const relationshipsOf = (part: string): string => part.replace(/[^/]*$/, (file) => `_rels/${file}.rels`)

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
