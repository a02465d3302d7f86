// The tags of an XML document, by their places in its bytes, so that an edit leaves every other byte as it is.
import { byWord } from '@rookery/kernel/by-word.ts'
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'

export interface XmlTag {
  readonly type: 'start' | 'end' | 'empty'
  /** With its prefix, as written. */
  readonly name: string
  /** The text between the name and the end of the tag. */
  readonly attributes: string
  /** Offset of `<`. */
  readonly from: number
  /** Offset behind `>`. */
  readonly to: number
}

/**
 * Tags in the order of the document. Throws `UnusableFile` for UTF-16, for a DOCTYPE (whose entities could grow without end), and
 * for a tag or a comment that does not end.
 */
export function* xmlTags(bytes: Buffer, part: string): Generator<XmlTag> {
  if (bytes[0] === 0xfe || bytes[0] === 0xff || bytes.subarray(0, 2).includes(0))
    throw new UnusableFile(`must be a document whose ${part} is UTF-8`)
  const ended = (at: number, by: string): number => {
    if (at < 0)
      throw new UnusableFile(`must be a document whose ${part} is well-formed XML: ${by} is missing`)
    return at + by.length
  }
  for (let from = bytes.indexOf('<'), to; from >= 0; from = bytes.indexOf('<', to)) {
    const starts = (text: string): boolean => bytes.toString('latin1', from, from + text.length) === text
    if (starts('<!--')) to = ended(bytes.indexOf('-->', from + 4), '-->')
    else if (starts('<![CDATA[')) to = ended(bytes.indexOf(']]>', from), ']]>')
    else if (starts('<?')) to = ended(bytes.indexOf('?>', from), '?>')
    else if (starts('<!')) throw new UnusableFile(`must be a document whose ${part} has no DOCTYPE`)
    else {
      to = ended(endOfTag(bytes, from), '>')
      yield tagOf(bytes.toString('latin1', from + 1, to - 1), from, to)
    }
  }
}

/** The offset of `>`, which may stand in the value of an attribute as well; -1 without one. */
function endOfTag(bytes: Buffer, from: number): number {
  let quote: number | undefined
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (quote !== undefined) quote = byte === quote ? undefined : quote
    else if (byte === 0x22 || byte === 0x27) quote = byte
    else if (byte === 0x3e) return at
  }
  return -1
}

function tagOf(text: string, from: number, to: number): XmlTag {
  const type = text.startsWith('/') ? 'end' : text.endsWith('/') ? 'empty' : 'start'
  const inside = type === 'end' ? text.slice(1) : type === 'empty' ? text.slice(0, -1) : text
  const [name = ''] = inside.split(/\s/, 1)
  return { type, name, attributes: inside.slice(name.length), from, to }
}

/** The value of an attribute, its references resolved; undefined without it. */
export function attributeOf({ attributes }: Pick<XmlTag, 'attributes'>, name: string): string | undefined {
  const value = attributePairs(attributes).find(([key]) => key === name)?.[1]
  return value === undefined ? undefined : unescaped(value)
}

/** The prefix that a root element binds to a namespace, with its colon; empty for the default one, undefined for none. */
export function prefixOf({ attributes }: Pick<XmlTag, 'attributes'>, namespace: string): string | undefined {
  for (const [key, value] of attributePairs(attributes))
    if (/^xmlns(:|$)/.test(key) && value === namespace) return key === 'xmlns' ? '' : `${key.slice(6)}:`
  return undefined
}

/** In one pass, for a tag may be as long as its part. */
function* attributePairs(text: string): Generator<[key: string, value: string]> {
  for (let at = 0, equals; (equals = text.indexOf('=', at)) >= 0;) {
    const opening = equals + 1 + text.slice(equals + 1, equals + 64).search(/\S/)
    const quote = text[opening]
    const closing = quote === '"' || quote === "'" ? text.indexOf(quote, opening + 1) : -1
    if (closing < 0) return
    yield [text.slice(at, equals).trim(), text.slice(opening + 1, closing)]
    at = closing + 1
  }
}

/** A text, as the value of an attribute or the content of an element has it; in ASCII. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`)

const NAMED = byWord<string>({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })

const unescaped = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name = '') => {
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
      if (Number.isNaN(code)) return NAMED[name as string] ?? whole
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
