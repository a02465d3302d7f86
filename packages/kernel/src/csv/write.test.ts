import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readCsv } from './read.ts'
import { csvRow } from './write.ts'

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])('the text %j is no formula', (text) => {
  expect(csvRow([text])).toMatch(/^"?'/)
})

it('numbers and booleans are written as they are', () => {
  expect(csvRow([-1, 8.5, true, ''])).toBe('-1,8.5,true,\r\n')
})

it('whatever the texts are, no cell begins a formula, and reading gives the texts back', () => {
  const unit = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ',', '"', "'", 'a', 'ü')
  const text = fc.string({ unit, maxLength: 8 })
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (values) => {
      const [record] = [...readCsv(csvRow(values))]
      const cells = record?.cells ?? []
      expect(cells.filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([])
      expect(cells.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n])/, ''))).toEqual(
        values.map((value) => value.replace(/^'(?=[=+\-@\t\r\n])/, '')),
      )
    }),
  )
})
