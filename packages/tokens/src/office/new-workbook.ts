// A workbook of one sheet, as Excel writes one. A picture from the web lies in a cell far from those that are seen.
import type { Draws } from '../draws.ts'
import { escapeXml } from '../xml/tags.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { DRAWING, IMAGE, newPicture, RELATIONSHIPS, sheetAnchor } from './linked-picture.ts'
import { newPackage, relationships, VBA_PROJECT, VBA_PROJECT_TYPE, type NewPart } from './new-package.ts'
import { cellStyles, SHEET, sharedStrings, sheet, type Workbook } from './sheet-parts.ts'
import { THEME_TYPE, themePart } from './theme.ts'

const TYPE = 'application/vnd.openxmlformats-officedocument'
const SHEET_TYPE = `${TYPE}.spreadsheetml`
export const SHEET_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing'
export const DRAWING_TYPE = `${TYPE}.drawing+xml`
const MACRO_WORKBOOK = 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'

/** What fires when it is opened: a picture at the URL, or macros. */
export type WorkbookTrigger = { readonly pictureUrl: string } | { readonly vbaProject: Buffer }

export function newWorkbook(workbook: Workbook, trigger: WorkbookTrigger, draws: Draws): ZipEntry[] {
  const { title, author } = workbook
  const vbaProject = 'vbaProject' in trigger ? trigger.vbaProject : undefined
  const parts: NewPart[] = [
    {
      name: 'xl/workbook.xml',
      contentType: vbaProject ? MACRO_WORKBOOK : `${SHEET_TYPE}.sheet.main+xml`,
      content: workbookPart(title, vbaProject !== undefined),
    },
    { name: 'xl/_rels/workbook.xml.rels', content: relationships(relatedParts(vbaProject !== undefined)) },
    {
      name: 'xl/worksheets/sheet1.xml',
      contentType: `${SHEET_TYPE}.worksheet+xml`,
      content: sheet(workbook, vbaProject ? 'macros' : 'drawing'),
    },
    { name: 'xl/theme/theme1.xml', contentType: THEME_TYPE, content: themePart(draws) },
    { name: 'xl/styles.xml', contentType: `${SHEET_TYPE}.styles+xml`, content: cellStyles(draws) },
    {
      name: 'xl/sharedStrings.xml',
      contentType: `${SHEET_TYPE}.sharedStrings+xml`,
      content: sharedStrings(workbook),
    },
    ...('pictureUrl' in trigger ? drawingParts(trigger.pictureUrl, draws) : []),
    ...(vbaProject
      ? [{ name: 'xl/vbaProject.bin', contentType: VBA_PROJECT_TYPE, content: vbaProject }]
      : []),
  ]
  return newPackage(
    { application: 'Excel', title, author, appProperties: appProperties(title), parts },
    draws,
  )
}

/** A cell that nobody scrolls to, another one in each workbook. */
export const hiddenCell = (draws: Draws): { readonly column: number; readonly row: number } => ({
  column: draws.integer(44, 90),
  row: draws.integer(220, 680),
})

function drawingParts(url: string, draws: Draws): NewPart[] {
  const place = hiddenCell(draws)
  return [
    {
      name: 'xl/drawings/drawing1.xml',
      contentType: DRAWING_TYPE,
      content: `<xdr:wsDr xmlns:xdr="${SHEET_DRAWING}" xmlns:a="${DRAWING}">${sheetAnchor(newPicture(draws), 'rId1', place)}</xdr:wsDr>`,
    },
    {
      name: 'xl/worksheets/_rels/sheet1.xml.rels',
      content: relationships([[`${RELATIONSHIPS}/drawing`, '../drawings/drawing1.xml']]),
    },
    { name: 'xl/drawings/_rels/drawing1.xml.rels', content: relationships([[IMAGE, url, 'External']]) },
  ]
}

const relatedParts = (hasMacros: boolean): (readonly [type: string, target: string])[] => [
  [`${RELATIONSHIPS}/worksheet`, 'worksheets/sheet1.xml'],
  [`${RELATIONSHIPS}/theme`, 'theme/theme1.xml'],
  [`${RELATIONSHIPS}/styles`, 'styles.xml'],
  [`${RELATIONSHIPS}/sharedStrings`, 'sharedStrings.xml'],
  ...(hasMacros ? [[VBA_PROJECT, 'vbaProject.bin'] as const] : []),
]

const workbookPart = (title: string, hasMacros: boolean): string =>
  `<workbook xmlns="${SHEET}" xmlns:r="${RELATIONSHIPS}"><fileVersion appName="xl" lastEdited="7" lowestEdited="7" rupBuild="22228"/>` +
  `<workbookPr${hasMacros ? ' codeName="ThisWorkbook"' : ''} defaultThemeVersion="166925"/>` +
  '<bookViews><workbookView xWindow="0" yWindow="0" windowWidth="28800" windowHeight="12225"/></bookViews>' +
  `<sheets><sheet name="${escapeXml(title)}" sheetId="1" r:id="rId1"/></sheets><calcPr calcId="191029"/></workbook>`

const appProperties = (title: string): string =>
  '<Application>Microsoft Excel</Application><DocSecurity>0</DocSecurity><ScaleCrop>false</ScaleCrop>' +
  '<HeadingPairs><vt:vector size="2" baseType="variant"><vt:variant><vt:lpstr>Worksheets</vt:lpstr></vt:variant>' +
  '<vt:variant><vt:i4>1</vt:i4></vt:variant></vt:vector></HeadingPairs><TitlesOfParts><vt:vector size="1" baseType="lpstr">' +
  `<vt:lpstr>${escapeXml(title)}</vt:lpstr></vt:vector></TitlesOfParts><Company></Company><LinksUpToDate>false</LinksUpToDate>` +
  '<SharedDoc>false</SharedDoc><HyperlinksChanged>false</HyperlinksChanged><AppVersion>16.0300</AppVersion>'
