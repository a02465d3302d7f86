// A strict reader of XML (XML 1.0 and Namespaces in XML 1.0) for messages of strangers: no document type, no processing
// instruction, no entity but the five predefined ones, in linear time. Comments are left out.
import { byWord } from '@rookery/kernel/by-word.ts'

export interface XmlAttribute {
  /** As written, with its prefix. */
  readonly name: string
  readonly prefix: string
  readonly localName: string
  /** Empty without a prefix. */
  readonly namespace: string
  readonly value: string
}

export interface XmlElement {
  readonly name: string
  readonly prefix: string
  readonly localName: string
  readonly namespace: string
  readonly attributes: readonly XmlAttribute[]
  /** Prefix to namespace, of every declaration in scope; the default namespace has the empty prefix. */
  readonly scope: ReadonlyMap<string, string>
  readonly children: readonly (XmlElement | string)[]
}

/** Says what is wrong, and at which character. */
export class XmlError extends Error {}

export interface XmlDocument {
  readonly root: XmlElement
  /** How many elements have the value as their attribute `ID`. */
  readonly ids: ReadonlyMap<string, number>
}

export interface XmlSize {
  readonly elements: number
  /** How deep elements lie. */
  readonly depth: number
}

const USUAL_SIZE: XmlSize = { elements: 4_000, depth: 64 }
/** Attributes of an element, and namespaces in scope at one place. */
const LIMITS = { attributes: 64, namespaces: 64 }

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
const NAME =
  '[A-Za-z_\\u0080-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd][\\w.\\-\\u0080-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd]*'
const QUALIFIED = `(?:(${NAME}):)?(${NAME})`

const START_TAG = new RegExp(`<${QUALIFIED}`, 'y')
const END_TAG = new RegExp(`</((?:${NAME}:)?${NAME})[ \\t\\n]*>`, 'y')
const ATTRIBUTE = new RegExp(`[ \\t\\n]+${QUALIFIED}[ \\t\\n]*=[ \\t\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const TAG_END = /[ \t\n]*(\/?)>/y
const TEXT = /[^<]+/y
const DECLARATION =
  /<\?xml[ \t\n]+version=["']1\.[0-9]["']([ \t\n]+encoding=["'][Uu][Tt][Ff]-8["'])?([ \t\n]+standalone=["'](?:yes|no)["'])?[ \t\n]*\?>/y
/** What no XML document may have, by code unit (XML 1.0, 2.2). */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

interface OpenElement extends XmlElement {
  readonly attributes: XmlAttribute[]
  readonly children: (XmlElement | string)[]
}

/** The root of the document; throws an `XmlError`. */
export const parseXml = (document: string): XmlElement => readXml(document).root

/** The document, which is no larger than `most`; throws an `XmlError`. */
export function readXml(document: string, most = USUAL_SIZE): XmlDocument {
  const text = document.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const ids = new Map<string, number>()
  let at = 0
  const fail = (what: string): never => {
    throw new XmlError(`${what} at character ${at}`)
  }
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text) ?? undefined
    if (match) at = pattern.lastIndex
    return match
  }
  if (FORBIDDEN.test(text)) fail('a control character')

  /** Takes a comment; whether there was one. */
  function takeComment(): boolean {
    if (!text.startsWith('<!--', at)) return false
    const end = text.indexOf('--', at + 4)
    if (end < 0 || text[end + 2] !== '>') fail('a comment without its end')
    at = end + 3
    return true
  }

  function takeStartTag(parent: OpenElement | undefined): { element: OpenElement; isEmpty: boolean } {
    const [, prefix = '', localName = ''] = take(START_TAG) ?? fail('no element')
    const written: RegExpExecArray[] = []
    for (let match = take(ATTRIBUTE); match; match = take(ATTRIBUTE)) {
      if (written.push(match) > LIMITS.attributes) fail(`more than ${LIMITS.attributes} attributes`)
    }
    const [, slash] = take(TAG_END) ?? fail('a tag without its end')
    const element = elementOf(
      prefix,
      localName,
      written,
      parent?.scope ?? new Map([['xml', XML_NAMESPACE]]),
      fail,
    )
    for (const it of element.attributes) if (it.name === 'ID') ids.set(it.value, (ids.get(it.value) ?? 0) + 1)
    if (element.scope.size > LIMITS.namespaces) fail(`more than ${LIMITS.namespaces} namespaces`)
    return { element, isEmpty: slash === '/' }
  }

  function takeText(): string | undefined {
    if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at)
      const content = end < 0 ? fail('a CDATA section without its end') : text.slice(at + 9, end)
      at = end + 3
      return content
    }
    const [run] = take(TEXT) ?? []
    return run === undefined ? undefined : unescaped(run, fail)
  }

  take(DECLARATION)
  const skip = (): void => {
    do take(/[ \t\n]+/y)
    while (takeComment())
  }
  skip()
  const { element: root, isEmpty } = takeStartTag(undefined)
  const open = isEmpty ? [] : [root]
  let count = 1
  for (let parent = open.at(-1); parent; parent = open.at(-1)) {
    if (takeComment()) continue
    const content = takeText()
    const end = content === undefined ? take(END_TAG) : undefined
    if (content !== undefined) parent.children.push(content)
    else if (end) {
      if (end[1] !== parent.name) fail(`</${end[1]?.slice(0, 64)}> for <${parent.name.slice(0, 64)}>`)
      open.pop()
    } else {
      if (at >= text.length) fail('the end of the document inside an element')
      const child = takeStartTag(parent)
      parent.children.push(child.element)
      if (++count > most.elements) fail(`more than ${most.elements} elements`)
      if (child.isEmpty) continue
      if (open.push(child.element) > most.depth) fail(`elements more than ${most.depth} deep`)
    }
  }
  skip()
  if (at < text.length) fail('something behind the root element')
  return { root, ids }
}

function elementOf(
  prefix: string,
  localName: string,
  written: readonly RegExpExecArray[],
  outer: ReadonlyMap<string, string>,
  fail: (what: string) => never,
): OpenElement {
  const read = written.map(([, attributePrefix = '', name = '', double, single = '']) => ({
    prefix: attributePrefix,
    localName: name,
    value: unescaped((double ?? single).replace(/[\t\n]/g, ' '), fail),
  }))
  const isDeclaration = (it: (typeof read)[number]): boolean =>
    it.prefix === 'xmlns' || (it.prefix === '' && it.localName === 'xmlns')
  const declarations = read.filter(isDeclaration)
  const scope = declarations.length > 0 ? new Map(outer) : outer
  for (const declaration of declarations) {
    const declared = declaration.prefix === '' ? '' : declaration.localName
    const isReserved = declared === 'xml' || declared === 'xmlns' || declaration.value === XML_NAMESPACE
    if (isReserved || (declared !== '' && declaration.value === '')) fail(`the namespace of ${declared}`)
    ;(scope as Map<string, string>).set(declared, declaration.value)
  }
  const namespaceOf = (it: string): string =>
    scope.get(it) ?? (it === '' ? '' : fail(`the unknown prefix ${it}`))
  const attributes = read
    .filter((it) => !isDeclaration(it))
    .map((it) => ({
      ...it,
      name: it.prefix === '' ? it.localName : `${it.prefix}:${it.localName}`,
      namespace: it.prefix === '' ? '' : namespaceOf(it.prefix),
    }))
  const names = [
    ...attributes.map((it) => `${it.namespace} ${it.localName}`),
    ...declarations.map((it) => `xmlns ${it.prefix} ${it.localName}`),
  ]
  if (new Set(names).size < names.length) fail('an attribute twice')
  return {
    name: prefix === '' ? localName : `${prefix}:${localName}`,
    prefix,
    localName,
    namespace: namespaceOf(prefix),
    attributes,
    scope,
    children: [],
  }
}

const ENTITIES = byWord<string>({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" })

function unescaped(text: string, fail: (what: string) => never): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(\w+));|&/g, (whole, hex, decimal, name) => {
    const entity = typeof name === 'string' ? ENTITIES[name] : undefined
    if (entity !== undefined) return entity
    const code = typeof hex === 'string' ? parseInt(hex, 16) : Number(decimal ?? NaN)
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    const character = isCharacter ? String.fromCodePoint(code) : '\0'
    return FORBIDDEN.test(character) ? fail(`the reference ${whole.slice(0, 16)}`) : character
  })
}
