import { expect, it } from 'vitest'
import { ignoredOf, links, parseSearch, printSearch, readInboxSearch, safePath } from './links.ts'

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

it('what was left out is said: wrong values, huge ones, and all but the last of a doubled one', () => {
  const given = parseSearch(
    `?source=10.0.0.1&source=10.0.0.2&from=2026-13-40-00:00:00&q=${'x'.repeat(300)}&other=1`,
  )
  expect(readInboxSearch(given)).toEqual({ source: '10.0.0.2' })
  expect(ignoredOf(given).map(([key]) => key)).toEqual(['source', 'q', 'from'])
  expect(parseSearch(printSearch(given))).toEqual(given)
})

it('only the console by HTTPS is an address elsewhere', () => {
  expect(links.https('https://console.example/')).toBe('https://console.example/')
  for (const url of ['javascript:alert(1)', 'http://console.example', 'x']) expect(links.https(url)).toBe('#')
})

it('a download is asked of this console, whatever its link names', () => {
  expect(links.download('https://console.example/download/a.ova?link=x.y')).toBe('/download/a.ova?link=x.y')
  for (const url of ['javascript:alert(1)', 'https://evil.example/sign-in', '//download/a', 'x'])
    expect(links.download(url)).toBe('#')
})
