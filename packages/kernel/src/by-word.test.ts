import { expect, it } from 'vitest'
import { byWord } from './by-word.ts'

it('a table by words finds its own, and none that every object has', () => {
  const table = byWord<string>({ lt: '<', gt: '>' })
  expect([table['lt'], Object.keys(table)]).toEqual(['<', ['lt', 'gt']])
  for (const word of Object.getOwnPropertyNames(Object.prototype)) expect(table[word]).toBeUndefined()
})
