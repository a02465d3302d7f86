// Pictures that a document shows from the web: DrawingML with a link instead of an embedded picture (ECMA-376, part 1, 20.1.8.13).

import type { Draws } from '../draws.ts'
import { escapeXml } from '../xml/tags.ts'
import { strict } from './dialect.ts'

export const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const IMAGE = `${RELATIONSHIPS}/image`
export const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
export const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const PICTURE = 'http://schemas.openxmlformats.org/drawingml/2006/picture'
export const WORD_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing'

/** In EMU: a quarter of a point. */
const QUARTER_POINT = 3_175

/** Unlike the pictures of other documents, so that no scan can look for one. */
export interface LinkedPicture {
  /** Unlike that of any other drawing in the document. */
  readonly number: number
  readonly name: string
  /** In EMU: too small to be seen, and large enough to be drawn. */
  readonly size: number
  /** Its place among the drawings, from the back. */
  readonly height: number
}

export const newPicture = (draws: Draws): LinkedPicture => ({
  number: draws.integer(100_000_000, 2_000_000_000),
  name: `Picture ${draws.integer(1, 9)}`,
  size: QUARTER_POINT * draws.integer(3, 8),
  // Word counts in steps of 1,024 from 2^18 × 960 on.
  height: 251_658_240 + 1_024 * draws.integer(0, 30),
})

const blip = (linkId: string): string =>
  `<a:blip xmlns:r="${RELATIONSHIPS}" r:link="${linkId}"/><a:stretch><a:fillRect/></a:stretch>`

const shape = (size: number): string =>
  `<a:xfrm><a:off x="0" y="0"/><a:ext cx="${size}" cy="${size}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`

/** Runs of a Word document: behind the text at the corner of the page, so that nothing moves; then a field for older versions. */
export const wordRuns = (picture: LinkedPicture, linkId: string, url: string): string =>
  `<w:r xmlns:w="${WORD}"><w:drawing>${anchor(picture, linkId)}</w:drawing></w:r>${includePicture(linkId, url)}`

/** The same for Strict Open XML, which knows no picture in VML. */
export const strictWordRuns = (picture: LinkedPicture, linkId: string): string =>
  strict(`<w:r xmlns:w="${WORD}"><w:drawing>${anchor(picture, linkId)}</w:drawing></w:r>`)

/** The names that such runs and the main part of a document of ours declare both. */
const DECLARED = / xmlns:(?:w|wp|r|v)="[^"]*"/g

/** The same for a document whose root declares these names. */
export const ownWordRuns = (picture: LinkedPicture, linkId: string, url: string): string =>
  wordRuns(picture, linkId, url).replace(DECLARED, '')

const anchor = ({ number, name, size, height }: LinkedPicture, linkId: string): string =>
  `<wp:anchor xmlns:wp="${WORD_DRAWING}" distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="${height}" ` +
  'behindDoc="1" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>' +
  '<wp:positionH relativeFrom="page"><wp:posOffset>0</wp:posOffset></wp:positionH>' +
  '<wp:positionV relativeFrom="page"><wp:posOffset>0</wp:posOffset></wp:positionV>' +
  `<wp:extent cx="${size}" cy="${size}"/><wp:effectExtent l="0" t="0" r="0" b="0"/><wp:wrapNone/>` +
  `<wp:docPr id="${number}" name="${name}"/><wp:cNvGraphicFramePr/>` +
  `<a:graphic xmlns:a="${DRAWING}"><a:graphicData uri="${PICTURE}"><pic:pic xmlns:pic="${PICTURE}">` +
  `<pic:nvPicPr><pic:cNvPr id="${number}" name="${name}"/><pic:cNvPicPr/></pic:nvPicPr>` +
  `<pic:blipFill>${blip(linkId)}</pic:blipFill><pic:spPr>${shape(size)}</pic:spPr>` +
  '</pic:pic></a:graphicData></a:graphic></wp:anchor>'

/** INCLUDEPICTURE, whose result is a VML picture (ECMA-376, part 1, 17.16.5.27, and part 4, 19.1.2.11). */
const includePicture = (linkId: string, url: string): string => {
  const run = (content: string): string => `<w:r xmlns:w="${WORD}">${content}</w:r>`
  const field = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`)
  return [
    field('begin'),
    run(
      `<w:instrText xml:space="preserve"> INCLUDEPICTURE "${escapeXml(url)}" \\d \\* MERGEFORMATINET </w:instrText>`,
    ),
    field('separate'),
    run(
      `<w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:.75pt;height:.75pt">` +
        `<v:imagedata xmlns:r="${RELATIONSHIPS}" r:id="${linkId}"/></v:shape></w:pict>`,
    ),
    field('end'),
  ].join('')
}

/** An anchor of a spreadsheet, in the cell of this column and row, both counted from 0. */
export const sheetAnchor = (
  { number, name, size }: LinkedPicture,
  linkId: string,
  { column, row }: { readonly column: number; readonly row: number },
): string =>
  `<xdr:oneCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row>` +
  `<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="${size}" cy="${size}"/><xdr:pic>` +
  `<xdr:nvPicPr><xdr:cNvPr id="${number}" name="${name}"/><xdr:cNvPicPr/></xdr:nvPicPr>` +
  `<xdr:blipFill>${blip(linkId)}</xdr:blipFill><xdr:spPr>${shape(size)}</xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`
