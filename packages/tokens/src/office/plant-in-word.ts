// Links a picture from a Word document: in its first paragraph, so that no line is added and no text changes.
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'
import { prefixOf, xmlTags, type XmlTag } from '../xml/tags.ts'
import type { ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { strict, transitional, type Dialect } from './dialect.ts'
import { WORD_FORMATS } from './formats.ts'
import { IMAGE, ownWordRuns, strictWordRuns, WORD, wordRuns, type LinkedPicture } from './linked-picture.ts'
import {
  addRelationships,
  freeRelationshipId,
  insertAt,
  insertInto,
  mainPart,
  readXml,
  rootOf,
  withPart,
} from './package.ts'

/** The parts of the same document with the picture; throws `UnusableFile` for what is not a Word document. */
export const plantInWord = (parts: readonly ZipEntry[], url: string, picture: LinkedPicture): ZipEntry[] =>
  plant(parts, url, (linkId, dialect) =>
    dialect === strict ? strictWordRuns(picture, linkId) : wordRuns(picture, linkId, url),
  )

/** The same for a document of ours. */
export const plantInOwnWord = (parts: readonly ZipEntry[], url: string, picture: LinkedPicture): ZipEntry[] =>
  plant(parts, url, (linkId) => ownWordRuns(picture, linkId, url))

function plant(
  parts: readonly ZipEntry[],
  url: string,
  runsOf: (linkId: string, dialect: Dialect) => string,
): ZipEntry[] {
  const { name: part } = mainPart(parts, WORD_FORMATS)
  const linkId = freeRelationshipId(parts, part)
  const xml = readXml(parts, part)
  const dialect = dialectOf(xml, part)
  const planted = insertRuns(xml, part, dialect, runsOf(linkId, dialect))
  const link = { id: linkId, type: dialect(IMAGE), target: url, isExternal: true }
  return addRelationships(withPart(parts, part, planted), part, [link])
}

/** The names of the document's main part, as the standard or its strict form have them. */
function dialectOf(xml: Buffer, part: string): Dialect {
  const { root } = rootOf(xml, part)
  const found = [transitional, strict].find((dialect) => prefixOf(root, dialect(WORD)) !== undefined)
  if (!found) throw new UnusableFile('must be a Word document, and its root element one of Word')
  return found
}

interface Place {
  readonly tag: XmlTag
  /** How many elements are open around the tag. */
  readonly depth: number
}

function insertRuns(xml: Buffer, part: string, dialect: Dialect, runs: string): Buffer {
  const places = withDepth(xmlTags(xml, part))
  const root = nextPlace(places, () => true)
  const w = (root && prefixOf(root.tag, dialect(WORD))) ?? ''
  const body = nextPlace(
    places,
    ({ tag, depth }) => tag.name === `${w}body` && tag.type === 'start' && depth === 1,
  )
  if (!body) throw new UnusableFile(`must be a document whose ${part} has a body`)
  const isParagraph = ({ tag, depth }: Place): boolean =>
    depth === 2 && tag.name === `${w}p` && tag.type !== 'end'
  const isEnd = ({ tag, depth }: Place): boolean => depth === 1 && tag.type === 'end'
  const found = nextPlace(places, (place) => isParagraph(place) || isEnd(place))
  if (!found) throw new UnusableFile(`must be a document whose ${part} is well-formed XML`)
  if (found.tag.type === 'end')
    return insertInto(xml, body.tag, `<w:p xmlns:w="${dialect(WORD)}">${runs}</w:p>`)
  if (found.tag.type === 'empty') return insertInto(xml, found.tag, runs)
  return insertAt(xml, behindProperties(places, `${w}pPr`) ?? found.tag.to, runs)
}

/** Where the properties of a paragraph end, which stand first in it; undefined without them. */
function behindProperties(places: Iterator<Place, void>, name: string): number | undefined {
  const first = nextPlace(places, () => true)
  if (first?.tag.name !== name || first.tag.type === 'end') return undefined
  if (first.tag.type === 'empty') return first.tag.to
  // Properties as they were before a tracked change stand inside: only the end at the same depth counts.
  return nextPlace(places, ({ tag, depth }) => tag.type === 'end' && depth === first.depth)?.tag.to
}

/** Unlike `find` of an iterator, it leaves the iterator open. */
function nextPlace(places: Iterator<Place, void>, isWanted: (place: Place) => boolean): Place | undefined {
  for (let next = places.next(); !next.done; next = places.next()) if (isWanted(next.value)) return next.value
  return undefined
}

function* withDepth(tags: Iterable<XmlTag>): Generator<Place, void> {
  let depth = 0
  for (const tag of tags) {
    if (tag.type === 'end') depth--
    yield { tag, depth }
    if (tag.type === 'start') depth++
  }
}
