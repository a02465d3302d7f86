import { expect, it } from 'vitest'
import { mergeParameters } from './parameters.ts'

it('the query wins over the body, and of duplicates the first', () => {
  const query = new URLSearchParams('a=1&a=2&b=3')
  expect({ ...mergeParameters(query, new URLSearchParams('a=4&c=5&c=6')) }).toEqual({
    a: '1',
    b: '3',
    c: '5',
  })
  expect({ ...mergeParameters(new URLSearchParams('a=1'), Object.entries({ a: ['2'], b: '3' })) }).toEqual({
    a: '1',
    b: '3',
  })
})

it('a parameter may be called as a member of every object', () => {
  const merged = mergeParameters(new URLSearchParams('constructor=c&__proto__=p'))
  expect(Object.entries(merged)).toEqual([
    ['constructor', 'c'],
    ['__proto__', 'p'],
  ])
})
