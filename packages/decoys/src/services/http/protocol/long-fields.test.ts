// Fields that are long on purpose. A server's own limits keep them short; what reads them takes no longer for that than for others.
import { expect, test } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { namePattern } from '../../smb/products/samba/files/pattern.ts'
import { rangesOf as rangesOfIis } from '../products/iis/ranges.ts'
import { rangesOf as rangesOfLighttpd } from '../products/lighttpd/ranges.ts'
import { rangesOf as rangesOfNginx } from '../products/nginx/ranges.ts'
import { trimmed, trimmedEnd } from './trimmed.ts'
import { connectionOptions } from './web-server.ts'

const LENGTH = 300_000
/** A reader that begins anew at each blank takes half a minute. */
const MAX_MS = 2_000

const blanks = ' '.repeat(LENGTH)
const file = { etag: '"1"', modifiedAt: 0 }
const headersOf = (range: string) => new Map([['range', range]])

const READERS: Readonly<Record<string, () => unknown>> = {
  'a range of IIS': () => rangesOfIis(`bytes=${blanks}x`, 10),
  'the end of a range of IIS': () => rangesOfIis(`bytes=1-${blanks}x`, 10),
  'a range of lighttpd': () => rangesOfLighttpd(`bytes=1-${blanks}x`, 10),
  'a range of nginx': () => rangesOfNginx(headersOf(`bytes=1-${blanks}x`), 10, file),
  'options of a connection': () => connectionOptions({ headers: new Map([['connection', `a${blanks}b`]]) }),
  'blanks within a value': () => trimmed(`a${blanks}b`, ' \t'),
  'carriage returns within a value': () => trimmedEnd(`${'\r'.repeat(LENGTH)}b`, '\r'),
  'a pattern of many stars': () => namePattern(`${'*'.repeat(LENGTH)}?`)('a'.repeat(255)),
  'a pattern that is longer than a name': () => namePattern('a*'.repeat(LENGTH / 2))('a'.repeat(255)),
}

test.each(Object.entries(READERS))('%s is read once', (_, read) => {
  const elapsedMs = processorTimer()
  read()
  expect(elapsedMs()).toBeLessThan(MAX_MS)
})

test('ranges and options are what they were', () => {
  expect(rangesOfIis('bytes= 1 - 3 ', 10)).toEqual([[1, 3]])
  expect(rangesOfIis('bytes=-3', 10)).toEqual([[7, 9]])
  expect(rangesOfLighttpd('bytes= 1 - 3 , 8-', 10)).toEqual([[1, 9]])
  expect(rangesOfNginx(headersOf('bytes= 1 - 3 '), 10, file)).toEqual([[1, 3]])
  expect(rangesOfNginx(headersOf('bytes=7 -'), 10, file)).toEqual([[7, 9]])
  expect(connectionOptions({ headers: new Map([['connection', ' Keep-Alive ,TE']]) })).toEqual([
    'keep-alive',
    'te',
  ])
  expect([trimmed('\t a b \t', ' \t'), trimmed('  ', ' '), trimmedEnd('a\r\r', '\r')]).toEqual([
    'a b',
    '',
    'a',
  ])
})
