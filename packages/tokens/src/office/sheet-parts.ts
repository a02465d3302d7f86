// A sheet of texts as Excel writes it: its cells point into a table of the workbook's texts (ECMA-376, part 1, 18.4.9).
import type { Draws } from '../draws.ts'
import { escapeXml } from '../xml/tags.ts'
import { RELATIONSHIPS } from './linked-picture.ts'

export interface Workbook {
  readonly title: string
  readonly author: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** Each text once, in the order in which the cells name them. */
const textsOf = ({ header, rows }: Workbook): string[] =>
  [...new Set([...header, ...rows.flat()])].filter(Boolean)

export function sharedStrings(workbook: Workbook): string {
  const texts = textsOf(workbook)
  const count = [...workbook.header, ...workbook.rows.flat()].filter(Boolean).length
  const items = texts.map((text) => `<si><t>${escapeXml(text)}</t></si>`)
  return `<sst xmlns="${SHEET}" count="${count}" uniqueCount="${texts.length}">${items.join('')}</sst>`
}

/** With a drawing, or with the name by which macros know the sheet. */
export function sheet(workbook: Workbook, more: 'drawing' | 'macros'): string {
  const { header, rows } = workbook
  const numbers = new Map(textsOf(workbook).map((text, number) => [text, number]))
  const columnOf = (column: number): string => String.fromCharCode(65 + column)
  const cell = (text: string, column: number, row: number): string => {
    const number = numbers.get(text)
    const style = row === 1 ? ' s="1"' : ''
    return number === undefined ? '' : `<c r="${columnOf(column)}${row}"${style} t="s"><v>${number}</v></c>`
  }
  const data = [header, ...rows].map(
    (texts, n) =>
      `<row r="${n + 1}" spans="1:${header.length}">${texts.map((text, column) => cell(text, column, n + 1)).join('')}</row>`,
  )
  return (
    `<worksheet xmlns="${SHEET}" xmlns:r="${RELATIONSHIPS}">${more === 'macros' ? '<sheetPr codeName="Sheet1"/>' : ''}` +
    `<dimension ref="A1:${columnOf(header.length - 1)}${data.length}"/>` +
    '<sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/>' +
    `<cols>${widths(workbook).join('')}</cols><sheetData>${data.join('')}</sheetData>` +
    '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>' +
    `${more === 'drawing' ? '<drawing r:id="rId1"/>' : ''}</worksheet>`
  )
}

/** As after a double click between the columns. */
const widths = ({ header, rows }: Workbook): string[] =>
  header.map((name, column) => {
    const characters = Math.max(
      ...[name, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length),
    )
    return `<col min="${column + 1}" max="${column + 1}" width="${characters + 0.7109375}" bestFit="1" customWidth="1"/>`
  })

/** Two formats of cells: plain, and bold on a colour for the header. */
export const cellStyles = (draws: Draws): string =>
  `<styleSheet xmlns="${SHEET}"><fonts count="2"><font><sz val="11"/><color theme="1"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font>` +
  '<font><b/><sz val="11"/><color theme="1"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${draws.text('CDEF', 6)}"/><bgColor indexed="64"/></patternFill></fill></fills>` +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs count="0"/>' +
  '<tableStyles count="0" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"/></styleSheet>'
