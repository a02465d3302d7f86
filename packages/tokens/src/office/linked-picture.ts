// Pictures that a document shows from the web: DrawingML with a link instead of an embedded picture (ECMA-376, part 1, 20.1.8.13).

import type { Draws } from '../draws.ts'
import { escapeXml } from '../xml/tags.ts'

export const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const IMAGE = `${RELATIONSHIPS}/image`
export const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
export const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const PICTURE = 'http://schemas.openxmlformats.org/drawingml/2006/picture'
const WORD_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing'

/** In EMU, of which a point has 12,700: too small to be seen, and large enough to be drawn. */
const SIZE = 12_700

/** `linkId` names the relationship to its URL; `number` is unlike that of any other drawing in the document. */
export interface LinkedPicture {
  readonly linkId: string
  readonly number: number
}

/** A name as programs give one to a relationship, and a number as Word gives one to a drawing. */
export const newPicture = (draws: Draws): LinkedPicture => ({
  linkId: `R${draws.text('0123456789abcdef', 16)}`,
  number: draws.integer(100_000_000, 2_000_000_000),
})

const blip = ({ linkId }: LinkedPicture): string =>
  `<a:blip xmlns:r="${RELATIONSHIPS}" r:link="${linkId}"/><a:stretch><a:fillRect/></a:stretch>`

const shape = `<a:xfrm><a:off x="0" y="0"/><a:ext cx="${SIZE}" cy="${SIZE}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`

/** Runs of a Word document: behind the text at the corner of the page, so that nothing moves; then a field for older versions. */
export const wordRuns = (picture: LinkedPicture, url: string): string =>
  `<w:r xmlns:w="${WORD}"><w:drawing>${anchor(picture)}</w:drawing></w:r>${includePicture(picture, url)}`

const anchor = (picture: LinkedPicture): string =>
  `<wp:anchor xmlns:wp="${WORD_DRAWING}" distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="1" ` +
  'behindDoc="1" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/>' +
  '<wp:positionH relativeFrom="page"><wp:posOffset>0</wp:posOffset></wp:positionH>' +
  '<wp:positionV relativeFrom="page"><wp:posOffset>0</wp:posOffset></wp:positionV>' +
  `<wp:extent cx="${SIZE}" cy="${SIZE}"/><wp:effectExtent l="0" t="0" r="0" b="0"/><wp:wrapNone/>` +
  `<wp:docPr id="${picture.number}" name="Picture ${picture.number}"/><wp:cNvGraphicFramePr/>` +
  `<a:graphic xmlns:a="${DRAWING}"><a:graphicData uri="${PICTURE}"><pic:pic xmlns:pic="${PICTURE}">` +
  `<pic:nvPicPr><pic:cNvPr id="${picture.number}" name="Picture ${picture.number}"/><pic:cNvPicPr/></pic:nvPicPr>` +
  `<pic:blipFill>${blip(picture)}</pic:blipFill><pic:spPr>${shape}</pic:spPr>` +
  '</pic:pic></a:graphicData></a:graphic></wp:anchor>'

/** INCLUDEPICTURE, whose result is a VML picture (ECMA-376, part 1, 17.16.5.27, and part 4, 19.1.2.11). */
const includePicture = ({ linkId }: LinkedPicture, url: string): string => {
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
export const sheetAnchor = (picture: LinkedPicture, column: number, row: number): string =>
  `<xdr:oneCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row>` +
  `<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="${SIZE}" cy="${SIZE}"/><xdr:pic>` +
  `<xdr:nvPicPr><xdr:cNvPr id="${picture.number}" name="Picture ${picture.number}"/><xdr:cNvPicPr/></xdr:nvPicPr>` +
  `<xdr:blipFill>${blip(picture)}</xdr:blipFill><xdr:spPr>${shape}</xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`
