import fc from 'fast-check'
import { expect, it } from 'vitest'
import { UnusableFile } from '@rookery/kernel/unusable-file.ts'
import { attributeOf, escapeXml, prefixOf, xmlTags } from './tags.ts'

const SPECIAL = [...`<>&;#'"ax1 é漢😀\t\n`]
const tags = (xml: string) => [...xmlTags(Buffer.from(xml), 'part.xml')]

it('finds the tags, and passes over comments, CDATA and instructions', () => {
  const xml = `<?xml version="1.0"?><!-- <no> --><a x='>' y="2"><![CDATA[<no>]]><b:c /></a>`
  expect(tags(xml).map(({ type, name, from, to }) => [type, name, xml.slice(from, to)])).toEqual([
    ['start', 'a', `<a x='>' y="2">`],
    ['empty', 'b:c', '<b:c />'],
    ['end', 'a', '</a>'],
  ])
})

it('reads attributes with their references, and the prefix of a namespace', () => {
  const [root] = tags(`<w:doc xmlns="urn:a" xmlns:w='urn:b' Target="x&amp;&#65;&#x42;&none;"/>`)
  if (!root) throw new Error('no tag')
  expect(attributeOf(root, 'Target')).toBe('x&AB&none;')
  expect(attributeOf(root, 'target')).toBeUndefined()
  expect([prefixOf(root, 'urn:b'), prefixOf(root, 'urn:a'), prefixOf(root, 'urn:c')]).toEqual([
    'w:',
    '',
    undefined,
  ])
})

it('refuses a DOCTYPE, UTF-16, and what does not end, by the name of the part', () => {
  const wrong: [reason: string, bytes: Buffer][] = [
    ['has no DOCTYPE', Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a/>')],
    ['is UTF-8', Buffer.from('\ufeff<a/>', 'utf16le')],
    ['is UTF-8', Buffer.from('<a/>', 'utf16le')],
    ['is well-formed XML: > is missing', Buffer.from('<a b="')],
    ['is well-formed XML: --> is missing', Buffer.from('<!-- ')],
  ]
  for (const [reason, bytes] of wrong)
    expect(() => [...xmlTags(bytes, 'part.xml')]).toThrow(`must be a document whose part.xml ${reason}`)
})

it('whatever the bytes are, there are tags or a reason; an escaped text stays one value', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '>', '!', '-', '/', '"', '[', 'a', '?', ']'), maxLength: 60 }),
      (xml) => {
        try {
          tags(xml)
        } catch (error) {
          expect(error).toBeInstanceOf(UnusableFile)
        }
      },
    ),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...SPECIAL), maxLength: 40 }), (text) => {
      const [tag] = tags(`<a b="${escapeXml(text)}"/>`)
      expect(tag && attributeOf(tag, 'b')).toBe(text)
    }),
  )
})
