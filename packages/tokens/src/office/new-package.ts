// The parts that every Office document of ours has, written in the order and with the headers of Microsoft's programs.
import type { Draws } from '../draws.ts'
import { pastMoment } from '../pretexts/past-moment.ts'
import { escapeXml } from '../xml/tags.ts'
import { zipEntry, type ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { RELATIONSHIPS } from './linked-picture.ts'
import { XML } from './package.ts'

export interface NewPart {
  readonly name: string
  readonly content: string | Buffer
  /** Without it the part has the type of its ending. */
  readonly contentType?: string
}

export interface NewDocument {
  readonly application: 'Word' | 'Excel'
  readonly title: string
  readonly author: string
  /** The elements of `app.xml`. */
  readonly appProperties: string
  /** The first one is the main part. They lie in the archive as they stand here. */
  readonly parts: readonly NewPart[]
}

/** The relationship to macros, and their content type. */
export const VBA_PROJECT = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject'
export const VBA_PROJECT_TYPE = 'application/vnd.ms-office.vbaProject'

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CORE = 'application/vnd.openxmlformats-package.core-properties+xml'
const APP = 'application/vnd.openxmlformats-officedocument.extended-properties+xml'

export function newPackage(document: NewDocument, draws: Draws): ZipEntry[] {
  const { appProperties, parts } = document
  const [main] = parts
  const properties: NewPart[] = [
    { name: 'docProps/core.xml', contentType: CORE, content: coreProperties(document, draws) },
    {
      name: 'docProps/app.xml',
      contentType: APP,
      content: `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">${appProperties}</Properties>`,
    },
  ]
  const root = relationships([
    [`${RELATIONSHIPS}/officeDocument`, main?.name ?? ''],
    [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    [`${RELATIONSHIPS}/extended-properties`, 'docProps/app.xml'],
  ])
  const all = [...parts, ...properties]
  return [
    officeEntry('[Content_Types].xml', contentTypes(all)),
    officeEntry('_rels/.rels', root),
    ...all.map(({ name, content }) => officeEntry(name, content)),
  ]
}

/** Of the format 4.5, and deflated as fast as possible. */
const WRITTEN_BY_OFFICE = { madeBy: 45, flags: 6 }
/** Room behind the name of a part that Office writes before it knows its length. */
const GROWING: readonly (readonly [name: RegExp, bytes: number])[] = [
  [/^(\[Content_Types\]\.xml|_rels\/\.rels)$/, 512],
  [/^(docProps\/.*|\w+\/_rels\/(document|workbook)\.xml\.rels)$/, 256],
]

function officeEntry(name: string, content: string | Buffer): ZipEntry {
  const [, room] = GROWING.find(([names]) => names.test(name)) ?? []
  return zipEntry(name, typeof content === 'string' ? XML + content : content, {
    ...WRITTEN_BY_OFFICE,
    ...(room !== undefined && { extra: growthHint(room) }),
  })
}

/**
 *   0 0xa220   2 bytes that follow   4 signature 0xa028   6 first value of the room   8 room
 */
function growthHint(room: number): Buffer {
  const bytes = Buffer.alloc(8 + room)
  for (const [n, value] of [0xa220, 4 + room, 0xa028, room].entries()) bytes.writeUInt16LE(value, n * 2)
  return bytes
}

function contentTypes(parts: readonly NewPart[]): string {
  const named = parts.filter(({ contentType }) => contentType !== undefined)
  const overrides = named
    .filter(({ name }) => !name.endsWith('.bin'))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ name, contentType }) => `<Override PartName="/${name}" ContentType="${contentType}"/>`)
  const binary = named.some(({ name }) => name.endsWith('.bin'))
    ? `<Default Extension="bin" ContentType="${VBA_PROJECT_TYPE}"/>`
    : ''
  return (
    `<Types xmlns="${PACKAGE}/content-types">${binary}` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  )
}

/** Word names the types of its parts in another order than it writes them. */
const WORD_TYPES = ['document', 'styles', 'settings', 'webSettings', 'fontTable', 'theme1', 'vbaData']

function rankOf({ name }: NewPart): number {
  const [, part = ''] = /^word\/(?:theme\/)?(\w+)\.xml$/.exec(name) ?? []
  const rank = WORD_TYPES.indexOf(part)
  return rank >= 0 ? rank : name.startsWith('docProps/') ? WORD_TYPES.length : 0
}

/** Relationships named rId1, rId2, …; the last one stands first, as Office writes them. */
export const relationships = (
  all: readonly (readonly [type: string, target: string, mode?: 'External'])[],
): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${all
    .map(
      ([type, target, mode], n) =>
        `<Relationship Id="rId${n + 1}" Type="${type}" Target="${escapeXml(target)}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
    )
    .toReversed()
    .join('')}</Relationships>`

function coreProperties({ application, title, author }: NewDocument, draws: Draws): string {
  const [created = '', modified = ''] = [pastMoment(draws), pastMoment(draws)].toSorted()
  const isWord = application === 'Word'
  // Word writes whole minutes.
  const shown = (moment: string): string => (isWord ? moment.replace(/\d\dZ$/, '00Z') : moment)
  const date = (element: string, moment: string): string =>
    `<dcterms:${element} xsi:type="dcterms:W3CDTF">${shown(moment)}</dcterms:${element}>`
  const creator = `<dc:creator>${escapeXml(author)}</dc:creator>`
  const changedBy = `<cp:lastModifiedBy>${escapeXml(author)}</cp:lastModifiedBy>`
  return (
    `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dcmitype="http://purl.org/dc/dcmitype/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${escapeXml(title)}</dc:title>` +
    (isWord
      ? `<dc:subject></dc:subject>${creator}<cp:keywords></cp:keywords><dc:description></dc:description>${changedBy}` +
        `<cp:revision>${draws.integer(2, 19)}</cp:revision>`
      : creator + changedBy) +
    `${date('created', created)}${date('modified', modified)}</cp:coreProperties>`
  )
}
