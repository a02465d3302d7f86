import { expect, it } from 'vitest'
import { apart } from './queries.ts'
import { addressesOf, rangeOf } from './range.ts'

it('a line says its range, whatever port, logtypes and comment it has', () => {
  const lines = [
    '0.0.0.0/0',
    ' 10.0.0.0/7:22 # wide',
    '[2000::/3]:443 3000',
    '2000::/3 3000 # x',
    '192.0.2.7',
  ]
  expect(lines.map((line) => addressesOf(rangeOf(line)))).toEqual([
    '4,294,967,296',
    '33,554,432',
    '2^125',
    '2^125',
    '1',
  ])
})

it('entries that commas separate stand one on each line, each with its comment', () => {
  expect(apart('10.0.0.1,:443,10.0.0.2 # a, b\n# only words, and more\n10.0.0.3')).toBe(
    '10.0.0.1\n:443\n10.0.0.2 # a, b\n# only words, and more\n10.0.0.3',
  )
})
