import { expect, it } from 'vitest'
import { baseAddress } from './listening.ts'

it.each([
  ['192.0.2.80:80', 'http://192.0.2.80'],
  ['[2001:db8::80]:80', 'http://[2001:db8::80]'],
  ['127.0.0.1:8090', 'http://127.0.0.1:8090'],
])('the base address of %s is spelled as clients spell it', (address, expected) => {
  expect(baseAddress(address)).toBe(expected)
})
