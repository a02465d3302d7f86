import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalXml } from './canonical.ts'
import { onlyChild, textOf } from './find.ts'
import { parseXml, XmlError } from './parse.ts'

const canonical = (text: string, inclusive?: string[]): string =>
  canonicalXml(parseXml(text), inclusive ? { inclusive } : {})

describe('the reader of XML', () => {
  it('reads text, references, CDATA and attributes, and leaves comments out', () => {
    const root = parseXml(
      '\ufeff<?xml version="1.0" encoding="utf-8"?>\r\n<!-- a --><a b="1 &quot;&#x41;\n"><c>x<!-- y -->&lt;<![CDATA[<&]]></c></a>\n<!-- z -->\n',
    )
    expect(root.attributes).toMatchObject([{ name: 'b', value: '1 "A ' }])
    expect(textOf(onlyChild(root, '', 'c'))).toBe('x<<&')
  })

  it('gives each element and attribute its namespace', () => {
    const root = parseXml('<a xmlns="u:1" xmlns:p="u:2" p:x="1" y="2"><p:b/><c xmlns=""/></a>')
    expect(root.namespace).toBe('u:1')
    expect(root.attributes.map(({ namespace }) => namespace)).toEqual(['u:2', ''])
    expect(root.children.map((it) => (typeof it === 'string' ? it : it.namespace))).toEqual(['u:2', ''])
  })

  it.each([
    ['<!DOCTYPE a><a/>', 'no element'],
    ['<a><!DOCTYPE b></a>', 'no element'],
    ['<a><?php x?></a>', 'no element'],
    ['<?xml version="1.0" encoding="UTF-16"?><a/>', 'no element'],
    ['<a>&file;</a>', 'the reference &file;'],
    ['<a>&#0;</a>', 'the reference &#0;'],
    ['<a>& b</a>', 'the reference &'],
    ['<a>\0</a>', 'a control character'],
    ['<a', 'a tag without its end'],
    ['<a>', 'the end of the document'],
    ['<a></b>', '</b> for <a>'],
    ['<a/><b/>', 'something behind the root element'],
    ['<a b=1/>', 'a tag without its end'],
    ['<a b="1" b="2"/>', 'an attribute twice'],
    ['<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>', 'an attribute twice'],
    ['<p:a/>', 'the unknown prefix p'],
    ['<a xmlns:p=""/>', 'the namespace of p'],
    ['<a xmlns:xml="u"/>', 'the namespace of xml'],
    ['<a><!-- -- --></a>', 'a comment without its end'],
    ['<a><![CDATA[x</a>', 'a CDATA section without its end'],
    ['<a>'.repeat(65) + '</a>'.repeat(65), 'elements more than 64 deep'],
    [`<a>${'<b/>'.repeat(4_000)}</a>`, 'more than 4000 elements'],
    [`<a ${Array.from({ length: 65 }, (_, n) => `b${n}=""`).join(' ')}/>`, 'more than 64 attributes'],
  ])('refuses %s', (text, reason) => {
    expect(() => parseXml(text)).toThrow(XmlError)
    expect(() => parseXml(text)).toThrow(reason)
  })

  it('throws nothing but its own error, whatever it reads', () => {
    const pieces = fc.constantFrom(
      '<a',
      ' b="c"',
      '>',
      '</a>',
      '<!--',
      '-->',
      '&lt;',
      '&',
      'x',
      '<![CDATA[',
      ']]>',
      '/',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((it) => it.join('')),
        ),
        (text) => {
          try {
            parseXml(text)
          } catch (error) {
            expect(error).toBeInstanceOf(XmlError)
          }
        },
      ),
    )
  })
})

describe('the canonical form', () => {
  it('has namespaces where they are used, then attributes in order, and no empty tags', () => {
    expect(
      canonical(
        '<p:a xmlns:q="u:q" xmlns:p="u:p" xmlns="u:d" z="1" q:y=\'2\' a="&#9;&gt;"><b/><p:c q:d="" /></p:a>',
      ),
    ).toBe(
      '<p:a xmlns:p="u:p" xmlns:q="u:q" a="&#x9;>" z="1" q:y="2"><b xmlns="u:d"></b><p:c q:d=""></p:c></p:a>',
    )
  })

  it('says where the default namespace ends, and escapes text', () => {
    expect(canonical('<a xmlns="u"><b xmlns="">&gt;&amp;"&#13;</b></a>')).toBe(
      '<a xmlns="u"><b xmlns="">&gt;&amp;"&#xD;</b></a>',
    )
  })

  it('has listed prefixes where they are declared', () => {
    const text = '<a xmlns:x="u:x"><b c="x:d"/></a>'
    expect(canonical(text)).toBe('<a><b c="x:d"></b></a>')
    expect(canonical(text, ['x', 'none'])).toBe('<a xmlns:x="u:x"><b c="x:d"></b></a>')
  })

  it('is the same when it is read again', () => {
    const name = fc.constantFrom('a', 'p:b', 'c')
    const { element: tree } = fc.letrec<{ element: string }>((tie) => ({
      element: fc
        .tuple(
          name,
          fc.constantFrom('', ' xmlns="u"', ' d="&lt;1"'),
          fc.oneof({ maxDepth: 4 }, fc.constantFrom('t', '&amp;', ''), tie('element')),
          fc.oneof({ maxDepth: 4 }, fc.constantFrom('&#13;', ' '), tie('element')),
        )
        .map(([it, attributes, ...children]) => `<${it}${attributes}>${children.join('')}</${it}>`),
    }))
    fc.assert(
      fc.property(tree, (text) => {
        const once = canonical(`<r xmlns:p="v">${text}</r>`)
        expect(canonical(once)).toBe(once)
      }),
    )
  })
})
