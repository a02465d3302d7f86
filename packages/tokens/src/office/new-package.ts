// The parts that every Office document of ours has, as the programs of Microsoft write them.
import type { Draws } from '../draws.ts'
import { pastMoment } from '../pretexts/past-moment.ts'
import { zipEntry, type ZipEntry } from '../zip/entry.ts'
import { escapeXml } from '../xml/tags.ts'
import { RELATIONSHIPS } from './linked-picture.ts'
import { XML } from './package.ts'

export interface NewPart {
  readonly name: string
  readonly content: string | Buffer
  /** Without it the part has the type of its ending. */
  readonly contentType?: string
}

export interface NewDocument {
  /** As `app.xml` names it. */
  readonly application: 'Microsoft Office Word' | 'Microsoft Excel'
  readonly title: string
  readonly author: string
  /** The first one is the main part. */
  readonly parts: readonly NewPart[]
}

/** The relationship to macros, and their content type. */
export const VBA_PROJECT = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject'
export const VBA_PROJECT_TYPE = 'application/vnd.ms-office.vbaProject'

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CORE = 'application/vnd.openxmlformats-package.core-properties+xml'
const APP = 'application/vnd.openxmlformats-officedocument.extended-properties+xml'

export function newPackage(document: NewDocument, draws: Draws): ZipEntry[] {
  const { application, parts } = document
  const [main] = parts
  const properties: NewPart[] = [
    { name: 'docProps/core.xml', contentType: CORE, content: coreProperties(document, draws) },
    {
      name: 'docProps/app.xml',
      contentType: APP,
      content: `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>${application}</Application><DocSecurity>0</DocSecurity><AppVersion>16.0000</AppVersion></Properties>`,
    },
  ]
  const root = relationships([
    [`${RELATIONSHIPS}/officeDocument`, main?.name ?? ''],
    [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    [`${RELATIONSHIPS}/extended-properties`, 'docProps/app.xml'],
  ])
  const all = [...parts, ...properties]
  return [
    zipEntry('[Content_Types].xml', XML + contentTypes(all)),
    zipEntry('_rels/.rels', XML + root),
    ...all.map(({ name, content }) => zipEntry(name, typeof content === 'string' ? XML + content : content)),
  ]
}

function contentTypes(parts: readonly NewPart[]): string {
  const overrides = parts
    .filter(({ contentType }) => contentType !== undefined)
    .map(({ name, contentType }) => `<Override PartName="/${name}" ContentType="${contentType}"/>`)
  return (
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  )
}

/** Relationships to parts of the document, named rId1, rId2, … */
export const relationships = (all: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${all
    .map(([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

function coreProperties({ title, author }: NewDocument, draws: Draws): string {
  const [created = '', modified = ''] = [pastMoment(draws), pastMoment(draws)].toSorted()
  const date = (element: string, moment: string): string =>
    `<dcterms:${element} xsi:type="dcterms:W3CDTF">${moment}</dcterms:${element}>`
  return (
    `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(author)}</dc:creator>` +
    `<cp:lastModifiedBy>${escapeXml(author)}</cp:lastModifiedBy><cp:revision>${draws.integer(2, 19)}</cp:revision>` +
    `${date('created', created)}${date('modified', modified)}</cp:coreProperties>`
  )
}
