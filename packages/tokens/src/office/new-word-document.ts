// A document of ours: a memorandum, as Word writes one.
import type { Draws } from '../draws.ts'
import { memorandum } from '../pretexts/memorandum.ts'
import { escapeXml } from '../xml/tags.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { RELATIONSHIPS } from './linked-picture.ts'
import { newPackage, relationships, VBA_PROJECT, VBA_PROJECT_TYPE, type NewPart } from './new-package.ts'
import { THEME_TYPE, themePart } from './theme.ts'
import { FONT_TABLE, settingsPart, stylesPart, WEB_SETTINGS, WORD_NAMESPACES } from './word-parts.ts'

const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const MACRO_DOCUMENT = 'application/vnd.ms-word.document.macroEnabled.main+xml'

export interface NewWordDocument {
  /** Without its ending. */
  readonly name: string
  readonly parts: readonly ZipEntry[]
}

/** With macros, where they are given. */
export function newWordDocument(draws: Draws, vbaProject?: Buffer): NewWordDocument {
  const { title, author, paragraphs } = memorandum(draws)
  // Numbers of the sessions in which the text was written.
  const sessions = Array.from({ length: draws.integer(3, 9) }, () => `00${draws.text('0123456789ABCDEF', 6)}`)
  const session = (): string => sessions[draws.integer(0, sessions.length - 1)] ?? ''
  const paragraph = (text: string, style?: string): string =>
    `<w:p w:rsidR="${session()}" w:rsidRDefault="${session()}">${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}` +
    `<w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`
  const body = [
    paragraph(title, 'Title'),
    paragraph(author, 'Subtitle'),
    ...paragraphs.map((text) => paragraph(text)),
    `<w:sectPr w:rsidR="${session()}"><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/><w:cols w:space="708"/><w:docGrid w:linePitch="360"/></w:sectPr>`,
  ].join('')
  const parts: NewPart[] = [
    {
      name: 'word/document.xml',
      contentType: vbaProject ? MACRO_DOCUMENT : `${TYPE}.document.main+xml`,
      content: `<w:document ${WORD_NAMESPACES}><w:body>${body}</w:body></w:document>`,
    },
    { name: 'word/_rels/document.xml.rels', content: relationships(relatedParts(vbaProject !== undefined)) },
    ...(vbaProject ? macroParts(vbaProject) : []),
    { name: 'word/theme/theme1.xml', contentType: THEME_TYPE, content: themePart(draws) },
    { name: 'word/settings.xml', contentType: `${TYPE}.settings+xml`, content: settingsPart(sessions) },
    { name: 'word/styles.xml', contentType: `${TYPE}.styles+xml`, content: stylesPart(draws) },
    { name: 'word/webSettings.xml', contentType: `${TYPE}.webSettings+xml`, content: WEB_SETTINGS },
    { name: 'word/fontTable.xml', contentType: `${TYPE}.fontTable+xml`, content: FONT_TABLE },
  ]
  const appProperties = countedProperties([title, author, ...paragraphs], draws)
  return {
    name: title.replace(/[^A-Za-z0-9]+/g, ' ').trim(),
    parts: newPackage({ application: 'Word', title, author, appProperties, parts }, draws),
  }
}

const relatedParts = (hasMacros: boolean): (readonly [type: string, target: string])[] => [
  ...(hasMacros ? [[VBA_PROJECT, 'vbaProject.bin'] as const] : []),
  [`${RELATIONSHIPS}/styles`, 'styles.xml'],
  [`${RELATIONSHIPS}/settings`, 'settings.xml'],
  [`${RELATIONSHIPS}/webSettings`, 'webSettings.xml'],
  [`${RELATIONSHIPS}/fontTable`, 'fontTable.xml'],
  [`${RELATIONSHIPS}/theme`, 'theme/theme1.xml'],
]

/** Word names the events that macros handle in a part of their own. */
export const VBA_DATA = {
  relationship: 'http://schemas.microsoft.com/office/2006/relationships/wordVbaData',
  contentType: 'application/vnd.ms-word.vbaData+xml',
  content: `<wne:vbaSuppData ${WORD_NAMESPACES}><wne:docEvents><wne:eventDocOpen/></wne:docEvents></wne:vbaSuppData>`,
}

const macroParts = (vbaProject: Buffer): NewPart[] => [
  { name: 'word/vbaProject.bin', contentType: VBA_PROJECT_TYPE, content: vbaProject },
  {
    name: 'word/_rels/vbaProject.bin.rels',
    content: relationships([[VBA_DATA.relationship, 'vbaData.xml']]),
  },
  { name: 'word/vbaData.xml', contentType: VBA_DATA.contentType, content: VBA_DATA.content },
]

const LINE_CHARACTERS = 85

/** What Word counts of a text. */
function countedProperties(texts: readonly string[], draws: Draws): string {
  const words = texts.reduce((sum, text) => sum + text.split(' ').length, 0)
  const withSpaces = texts.reduce((sum, text) => sum + text.length, 0)
  const characters = withSpaces - words + texts.length
  return (
    `<Template>Normal.dotm</Template><TotalTime>${draws.integer(2, 90)}</TotalTime><Pages>1</Pages><Words>${words}</Words>` +
    `<Characters>${characters}</Characters><Application>Microsoft Office Word</Application><DocSecurity>0</DocSecurity>` +
    `<Lines>${Math.ceil(withSpaces / LINE_CHARACTERS)}</Lines><Paragraphs>${texts.length}</Paragraphs><ScaleCrop>false</ScaleCrop>` +
    `<Company></Company><LinksUpToDate>false</LinksUpToDate><CharactersWithSpaces>${withSpaces}</CharactersWithSpaces>` +
    '<SharedDoc>false</SharedDoc><HyperlinksChanged>false</HyperlinksChanged><AppVersion>16.0000</AppVersion>'
  )
}
