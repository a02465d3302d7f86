import { describe, expect, it } from 'vitest'
import { CsvError, readCsv } from './read.ts'

const read = (text: string) => [...readCsv(text)].map(({ line, cells }) => [line, ...cells])

function errorOf(text: string): [number, string] {
  try {
    read(text)
  } catch (error) {
    if (error instanceof CsvError) return [error.line, error.message]
  }
  throw new Error('it was read')
}

describe('a CSV file', () => {
  it('is read the same with LF, with CRLF, with a byte order mark, and without a last line end', () => {
    const rows = [
      [1, 'kind', 'memo'],
      [2, 'http', 'Wiki'],
    ]
    for (const text of [
      'kind,memo\nhttp,Wiki\n',
      'kind,memo\r\nhttp,Wiki\r\n',
      '\uFEFFkind,memo\r\nhttp,Wiki',
    ])
      expect(read(text)).toEqual(rows)
  })

  it('may have commas, quotes and line breaks in quoted cells, and lines are counted through them', () => {
    expect(read('a,"b,""c""\r\nd"\r\n\r\ne,""\r\n')).toEqual([
      [1, 'a', 'b,"c"\r\nd'],
      [4, 'e', ''],
    ])
  })

  it('keeps quotes inside a cell without quotes, and a lone CR', () => {
    expect(read('5" disk,a\rb\n')).toEqual([[1, '5" disk', 'a\rb']])
  })

  it('is refused, with the line, where a quote stays open or text follows a closing one', () => {
    expect(errorOf('a\nb,"c\nd\n')).toEqual([2, 'has a quote " that is not closed'])
    expect(errorOf('a\n"b"c\n')[0]).toBe(2)
  })

  it('is refused, with the line, for NUL, for a cell of megabytes, and for hundreds of cells', () => {
    expect(errorOf('a\nb\0\n')).toEqual([2, 'has a NUL character: save the file as text in UTF-8'])
    expect(errorOf(`a\n${'x'.repeat(10 * 1024 * 1024)}\n`)[1]).toMatch(/10485760 characters/)
    expect(errorOf(`a\n"${'x'.repeat(10 * 1024 * 1024)}"\n`)[1]).toMatch(/10485760 characters/)
    expect(errorOf(`a\n${','.repeat(10 * 1024 * 1024)}\n`)).toEqual([2, 'has more than 200 cells'])
  })
})
