// Documents of Office Open XML (ECMA-376): the least parts that open in office suites.
import type { Draw } from '../../../../../machine/draw.ts'
import type { Pieces } from './pieces.ts'
import { paragraphs } from './prose.ts'
import { zip, type ZipEntry } from './zip.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const FORMAT = 'application/vnd.openxmlformats-officedocument'

const part = (name: string, xml: string): ZipEntry => ({ name, content: Buffer.from(XML + xml) })

/** Text of XML. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function contentTypes(main: string, type: string): ZipEntry {
  const defaults =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>'
  const override = `<Override PartName="/${main}" ContentType="${FORMAT}.${type}.main+xml"/>`
  return part('[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types">${defaults}${override}</Types>`)
}

const relations = (
  name: string,
  ...targets: readonly (readonly [type: string, target: string])[]
): ZipEntry =>
  part(
    name,
    `<Relationships xmlns="${PACKAGE}/relationships">${targets
      .map(
        ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`,
  )

/** A Word document: its title, and paragraphs. */
export function wordDocument(title: string, from: Draw, modifiedAt: number, size: number): Pieces {
  const main = 'word/document.xml'
  const body = [title, ...paragraphs(from, from.between(4, 14))]
    .map((text) => `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`)
    .join('')
  const xmlns = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  return zip(
    [
      contentTypes(main, 'wordprocessingml.document'),
      relations('_rels/.rels', ['officeDocument', main]),
      part(main, `<w:document ${xmlns}><w:body>${body}</w:body></w:document>`),
    ],
    modifiedAt,
    size,
  )
}

const COLUMNS = ['Position', 'Cost centre', 'Budget', 'Actual', 'Difference']

/** An Excel workbook: one sheet of amounts. */
export function workbook(title: string, from: Draw, modifiedAt: number, size: number): Pieces {
  const main = 'xl/workbook.xml'
  const xmlns = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const rows = [
    [title],
    COLUMNS,
    ...Array.from({ length: from.between(12, 60) }, (_, i) => amounts(from, i + 1)),
  ]
  const cell = (value: string | number): string =>
    typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
  const sheet = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')
  return zip(
    [
      {
        name: '[Content_Types].xml',
        content: Buffer.from(
          contentTypes(main, 'spreadsheetml.sheet')
            .content.toString()
            .replace(
              '</Types>',
              `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${FORMAT}.spreadsheetml.worksheet+xml"/></Types>`,
            ),
        ),
      },
      relations('_rels/.rels', ['officeDocument', main]),
      part(
        main,
        `<workbook ${xmlns} xmlns:r="${OFFICE}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      relations('xl/_rels/workbook.xml.rels', ['worksheet', 'worksheets/sheet1.xml']),
      part('xl/worksheets/sheet1.xml', `<worksheet ${xmlns}><sheetData>${sheet}</sheetData></worksheet>`),
    ],
    modifiedAt,
    size,
  )
}

function amounts(from: Draw, position: number): (string | number)[] {
  const budget = from.between(20, 900) * 100
  const actual = Math.round((budget * from.between(60, 130)) / 100)
  return [position, `${from.between(1, 9)}${from.between(100, 999)}`, budget, actual, budget - actual]
}
