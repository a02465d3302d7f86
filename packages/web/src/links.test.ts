import { expect, it } from 'vitest'
import { parseSearch, printSearch, readInboxSearch, safePath } from './links.ts'

it('an address that is no page of this console leads to the inbox', () => {
  for (const to of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    ' /x',
    '/a\nb',
    undefined,
  ])
    expect(safePath(to)).toBe('/')
  expect(safePath('/incidents/abc?peek=1')).toBe('/incidents/abc?peek=1')
})

it('a filter is plain text: numbers and JSON stay what was typed', () => {
  const search = { q: '10', source: '10.0.0.0/8', level: 'used,tried' }
  expect(parseSearch(printSearch(search))).toEqual(search)
  expect(printSearch({ q: '', peek: undefined })).toBe('')
})

it('a filter that the inbox does not know is dropped', () => {
  expect(readInboxSearch({ state: 'whatever', q: 'x', other: 'y', level: '' })).toEqual({ q: 'x' })
})
