// A workbook of one sheet. A picture from the web lies in a cell far from those that are seen.
import type { Draws } from '../draws.ts'
import { escapeXml } from '../xml/tags.ts'
import type { ZipEntry } from '../zip/entry.ts'
import { DRAWING, IMAGE, newPicture, RELATIONSHIPS, sheetAnchor } from './linked-picture.ts'
import { newPackage, relationships, VBA_PROJECT, VBA_PROJECT_TYPE, type NewPart } from './new-package.ts'
import { addExternal } from './package.ts'

export interface Workbook {
  readonly title: string
  readonly author: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const TYPE = 'application/vnd.openxmlformats-officedocument'
const SHEET_TYPE = `${TYPE}.spreadsheetml`
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const SHEET_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing'
const MACRO_WORKBOOK = 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'
const SHEET_PART = 'xl/worksheets/sheet1.xml'
const DRAWING_PART = 'xl/drawings/drawing1.xml'
/** Counted from 0. */
const FAR = { column: 61, row: 376 }

/** What fires when it is opened: a picture at the URL, or macros. */
export type WorkbookTrigger = { readonly pictureUrl: string } | { readonly vbaProject: Buffer }

export function newWorkbook(workbook: Workbook, trigger: WorkbookTrigger, draws: Draws): ZipEntry[] {
  const { title, author } = workbook
  if ('vbaProject' in trigger) {
    const parts = [
      ...commonParts(workbook, MACRO_WORKBOOK, [[VBA_PROJECT, 'vbaProject.bin']]),
      { name: SHEET_PART, contentType: `${SHEET_TYPE}.worksheet+xml`, content: sheet(workbook, '') },
      { name: 'xl/vbaProject.bin', contentType: VBA_PROJECT_TYPE, content: trigger.vbaProject },
    ]
    return newPackage({ application: 'Microsoft Excel', title, author, parts }, draws)
  }
  const picture = newPicture(draws)
  const parts: NewPart[] = [
    ...commonParts(workbook, `${SHEET_TYPE}.sheet.main+xml`, []),
    {
      name: SHEET_PART,
      contentType: `${SHEET_TYPE}.worksheet+xml`,
      content: sheet(workbook, '<drawing r:id="rId1"/>'),
    },
    {
      name: 'xl/worksheets/_rels/sheet1.xml.rels',
      content: relationships([[`${RELATIONSHIPS}/drawing`, '../drawings/drawing1.xml']]),
    },
    {
      name: DRAWING_PART,
      contentType: `${TYPE}.drawing+xml`,
      content: `<xdr:wsDr xmlns:xdr="${SHEET_DRAWING}" xmlns:a="${DRAWING}">${sheetAnchor(picture, FAR.column, FAR.row)}</xdr:wsDr>`,
    },
  ]
  const document = newPackage({ application: 'Microsoft Excel', title, author, parts }, draws)
  return addExternal(document, DRAWING_PART, [
    { id: picture.linkId, type: IMAGE, target: trigger.pictureUrl },
  ])
}

const commonParts = (
  { title }: Workbook,
  contentType: string,
  related: readonly (readonly [type: string, target: string])[],
): NewPart[] => [
  {
    name: 'xl/workbook.xml',
    contentType,
    content: `<workbook xmlns="${SHEET}" xmlns:r="${RELATIONSHIPS}"><workbookPr codeName="ThisWorkbook"/><sheets><sheet name="${escapeXml(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: relationships([
      [`${RELATIONSHIPS}/worksheet`, 'worksheets/sheet1.xml'],
      [`${RELATIONSHIPS}/styles`, 'styles.xml'],
      ...related,
    ]),
  },
  { name: 'xl/styles.xml', contentType: `${SHEET_TYPE}.styles+xml`, content: STYLES },
]

function sheet({ header, rows }: Workbook, drawing: string): string {
  const cell = (text: string, column: number, row: number, style: number): string =>
    text === ''
      ? ''
      : `<c r="${String.fromCharCode(65 + column)}${row}" s="${style}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`
  const data = [header, ...rows].map(
    (texts, n) =>
      `<row r="${n + 1}">${texts.map((text, column) => cell(text, column, n + 1, n === 0 ? 1 : 0)).join('')}</row>`,
  )
  return (
    `<worksheet xmlns="${SHEET}" xmlns:r="${RELATIONSHIPS}"><sheetPr codeName="Sheet1"/>` +
    `<cols><col min="1" max="${header.length}" width="20" customWidth="1"/></cols>` +
    `<sheetData>${data.join('')}</sheetData>${drawing}</worksheet>`
  )
}

/** Two formats of cells: plain, and bold for the header. */
const STYLES =
  `<styleSheet xmlns="${SHEET}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
