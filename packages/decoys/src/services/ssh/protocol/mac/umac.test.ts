import { expect, test } from 'vitest'
import { umac } from './umac.ts'

// RFC 4418, appendix; the RFC gives 64 and 96 bits, of which the latter is the front of the 128.
const vectors: [message: string, bits64: string, bits96: string][] = [
  ['', '6E155FAD26900BE1', '32FEDB100C79AD58F07FF764'],
  ['aaa', '44B5CB542F220104', '185E4FE905CBA7BD85E4C2DC'],
  ['a'.repeat(2 ** 10), '26BF2F5D60118BD9', '7A54ABE04AF82D60FB298C3C'],
  ['a'.repeat(2 ** 15), '27F8EF643B0D118D', '7B136BD911E4B734286EF2BE'],
  ['a'.repeat(2 ** 20), 'A4477E87E9F55853', 'F8ACFA3AC31CFEEA047F7B11'],
  ['abc', 'D4D7B9F6BD4FBFCF', '883C3D4B97A61976FFCF2323'],
  ['abc'.repeat(500), 'D4CF26DDEFD5C01A', '8824A260C53C66A36C9260A6'],
]

test.each(vectors)('UMAC gives the tags of RFC 4418 (message %#)', (message, bits64, bits96) => {
  const key = Buffer.from('abcdefghijklmnop')
  const nonce = Buffer.from('bcdefghi')
  expect(umac(key, 8)(Buffer.from(message), nonce).toString('hex').toUpperCase()).toBe(bits64)
  expect(umac(key, 16)(Buffer.from(message), nonce).subarray(0, 12).toString('hex').toUpperCase()).toBe(
    bits96,
  )
})
