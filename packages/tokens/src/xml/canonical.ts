// Exclusive XML canonicalization without comments (W3C, Exclusive XML Canonicalization 1.0): the bytes that a signature is of.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { XmlAttribute, XmlElement } from './parse.ts'

export interface CanonicalOptions {
  /** An element that is left out: the signature itself. */
  readonly without?: XmlElement | undefined
  /** Prefixes that count as used wherever they are declared (`InclusiveNamespaces`); the default one is empty. */
  readonly inclusive?: readonly string[]
}

export function canonicalXml(
  element: XmlElement,
  { without, inclusive = [] }: CanonicalOptions = {},
): string {
  const parts: string[] = []

  function write(it: XmlElement, written: ReadonlyMap<string, string>): void {
    const used = [it.prefix, ...it.attributes.flatMap(({ prefix }) => (prefix === '' ? [] : [prefix]))]
    const declarations = [...new Set([...used, ...inclusive])]
      .filter((prefix) => prefix !== 'xml' && (it.scope.get(prefix) ?? '') !== (written.get(prefix) ?? ''))
      .sort(byCodeUnit)
      .map((prefix): [string, string] => [prefix, it.scope.get(prefix) ?? ''])
    parts.push('<', it.name)
    for (const [prefix, namespace] of declarations)
      parts.push(prefix === '' ? ' xmlns' : ` xmlns:${prefix}`, '="', escapedValue(namespace), '"')
    for (const { name, value } of [...it.attributes].sort(byNamespace))
      parts.push(' ', name, '="', escapedValue(value), '"')
    parts.push('>')
    const inner = declarations.length > 0 ? new Map([...written, ...declarations]) : written
    for (const child of it.children)
      if (typeof child === 'string') parts.push(escapedText(child))
      else if (child !== without) write(child, inner)
    parts.push('</', it.name, '>')
  }

  write(element, new Map())
  return parts.join('')
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byNamespace = (a: XmlAttribute, b: XmlAttribute): number =>
  byCodeUnit(a.namespace, b.namespace) || byCodeUnit(a.localName, b.localName)

const REFERENCES = byWord<string>({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
})

const escapedText = (text: string): string => text.replace(/[&<>\r]/g, (it) => REFERENCES[it] ?? it)
const escapedValue = (text: string): string => text.replace(/[&<"\t\n\r]/g, (it) => REFERENCES[it] ?? it)
