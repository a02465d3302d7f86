// Links a picture from an Excel workbook: in a drawing of the sheet that it opens with, in a cell that nobody scrolls to.
import type { Draws } from '../draws.ts'
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'
import { attributeOf, prefixOf, xmlTags, type XmlTag } from '../xml/tags.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { strict, transitional, type Dialect } from './dialect.ts'
import { EXCEL_FORMATS } from './formats.ts'
import { DRAWING, IMAGE, newPicture, RELATIONSHIPS, sheetAnchor } from './linked-picture.ts'
import { DRAWING_TYPE, hiddenCell, SHEET_DRAWING } from './new-workbook.ts'
import {
  addPart,
  addRelationships,
  freePartName,
  freeRelationshipId,
  insertAt,
  insertInto,
  mainPart,
  readXml,
  relatedParts,
  rootOf,
  withPart,
  XML,
} from './package.ts'
import { SHEET } from './sheet-parts.ts'

/** What stands behind the drawing of a sheet (ECMA-376, part 1, 18.3.1.99); controls may stand in an alternative. */
const BEHIND_DRAWING = new Set([
  ...[
    'drawingHF',
    'legacyDrawing',
    'legacyDrawingHF',
    'picture',
    'oleObjects',
    'controls',
    'AlternateContent',
  ],
  ...['webPublishItems', 'tableParts', 'extLst'],
])

/** The parts of the same workbook with the picture; throws `UnusableFile` for what is not a workbook. */
export function plantInWorkbook(parts: readonly ZipEntry[], url: string, draws: Draws): ZipEntry[] {
  const workbook = mainPart(parts, EXCEL_FORMATS).name
  const sheet = shownSheet(parts, workbook)
  const xml = readXml(parts, sheet)
  const { root } = rootOf(xml, sheet)
  const dialect = [transitional, strict].find((it) => prefixOf(root, it(SHEET)) !== undefined)
  if (!dialect) throw new UnusableFile(`must be a workbook whose ${sheet} is a sheet of Excel`)
  const [drawn, drawing] = withDrawing(parts, sheet, xml, dialect)
  const linkId = freeRelationshipId(drawn, drawing)
  const drawingXml = readXml(drawn, drawing)
  const names = `<xdr:oneCellAnchor xmlns:xdr="${SHEET_DRAWING}" xmlns:a="${DRAWING}">`
  const anchor = sheetAnchor(newPicture(draws), linkId, hiddenCell(draws)).replace(
    '<xdr:oneCellAnchor>',
    names,
  )
  const planted = insertInto(drawingXml, rootOf(drawingXml, drawing).root, dialect(anchor))
  const link = { id: linkId, type: dialect(IMAGE), target: url, isExternal: true }
  return addRelationships(withPart(drawn, drawing, planted), drawing, [link])
}

/** The sheet that the workbook opens with, or else its first one: charts have no cells. */
function shownSheet(parts: readonly ZipEntry[], workbook: string): string {
  const sheets = new Map(relatedParts(parts, workbook, 'worksheet').map(({ id, target }) => [id, target]))
  const tags = [...xmlTags(readXml(parts, workbook), workbook)]
  const named = (name: string): XmlTag[] =>
    tags.filter((tag) => tag.type !== 'end' && localName(tag) === name)
  const ordered = named('sheet').map((tag) => sheets.get(idOf(tag) ?? ''))
  const [view] = named('workbookView')
  const active = Number((view && attributeOf(view, 'activeTab')) ?? 0)
  const found = ordered[active] ?? ordered.find((it) => it !== undefined)
  if (found === undefined) throw new UnusableFile('must be a workbook that has a sheet with cells')
  return found
}

const localName = ({ name }: XmlTag): string => name.slice(name.indexOf(':') + 1)

/** The relationship that an element names, whatever prefix its attribute has. */
function idOf({ attributes }: XmlTag): string | undefined {
  const name = /(?:^|\s)([\w.-]+:id)\s*=/.exec(attributes)?.[1]
  return name === undefined ? undefined : attributeOf({ attributes }, name)
}

/** The parts with a drawing of the sheet, and the name of that. */
function withDrawing(
  parts: readonly ZipEntry[],
  sheet: string,
  xml: Buffer,
  dialect: Dialect,
): readonly [parts: readonly ZipEntry[], drawing: string] {
  const { prefix } = rootOf(xml, sheet)
  let [depth, behindAt] = [0, xml.length]
  for (const tag of xmlTags(xml, sheet)) {
    if (tag.type === 'end') depth--
    const isChild = depth === 1 && tag.type !== 'end'
    if (isChild && localName(tag) === 'drawing') {
      const known = relatedParts(parts, sheet, 'drawing').find(({ id }) => id === idOf(tag))
      if (known) return [parts, known.target]
    }
    // The end of the sheet, if nothing stands there before.
    if ((isChild && BEHIND_DRAWING.has(localName(tag))) || (depth === 0 && tag.type === 'end'))
      behindAt = Math.min(behindAt, tag.from)
    if (tag.type === 'start') depth++
  }
  const drawing = freePartName(parts, 'xl/drawings/drawing')
  const id = freeRelationshipId(parts, sheet)
  const element = `<${prefix}drawing xmlns:r="${dialect(RELATIONSHIPS)}" r:id="${id}"/>`
  const linked = addRelationships(withPart(parts, sheet, insertAt(xml, behindAt, element)), sheet, [
    { id, type: dialect(`${RELATIONSHIPS}/drawing`), target: `/${drawing}` },
  ])
  const content = `${XML}<xdr:wsDr xmlns:xdr="${dialect(SHEET_DRAWING)}" xmlns:a="${dialect(DRAWING)}"></xdr:wsDr>`
  return [addPart(linked, { name: drawing, content, contentType: DRAWING_TYPE }), drawing]
}
