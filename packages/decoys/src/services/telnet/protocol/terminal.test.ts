import { expect, test } from 'vitest'
import { openTerminal, readLine, type, write } from './terminal.ts'

/** What is shown, and the lines that a program can read. */
function shown(...typed: readonly string[]): { output: string; lines: readonly string[] } {
  const terminal = openTerminal()
  for (const text of typed) type(terminal, text)
  return { output: terminal.output, lines: terminal.lines }
}

test('erased characters, words and lines disappear from the screen and from the line', () => {
  expect(shown('ab\x7fc\r')).toEqual({ output: 'ab\b \bc\r\n', lines: ['ac\n'] })
  expect(shown('one two\x17\r')).toEqual({ output: `one two${'\b \b'.repeat(3)}\r\n`, lines: ['one \n'] })
  expect(shown('ab\x15c\r')).toEqual({ output: 'ab\b \b\b \bc\r\n', lines: ['c\n'] })
  expect(shown('a\x01\x7f\r')).toEqual({ output: 'a^A\b \b\b \b\r\n', lines: ['a\n'] })
})

test('an erased tab takes the cursor back to where the text before it ends', () => {
  const terminal = openTerminal()
  write(terminal, 'login: ')
  type(terminal, 'ab\t\x7f')
  expect(terminal.output).toBe(`login: ab\t${'\b'.repeat(7)}`)
})

test('a quoted character stands for itself', () => {
  expect(shown('\x16\x03\r')).toEqual({ output: '^\b^C\r\n', lines: ['\x03\n'] })
})

test('a signal discards what is typed and not yet read', () => {
  const terminal = openTerminal()
  expect(type(terminal, 'abc\x03d')).toEqual(['interrupt'])
  expect([terminal.output, terminal.line]).toEqual(['^Cd', 'd'])
})

test('stopped output waits for its restart', () => {
  const terminal = openTerminal()
  type(terminal, 'a\x13b')
  expect(terminal.output).toBe('')
  type(terminal, '\x11c')
  expect(terminal.output).toBe('abc')
})

test('a line is read in the pieces that fit', () => {
  const terminal = openTerminal()
  type(terminal, 'abcde\r')
  expect([readLine(terminal, 4), readLine(terminal, 4), readLine(terminal, 4)]).toEqual([
    'abcd',
    'e\n',
    undefined,
  ])
})

test('a line ends at 4,095 characters, however many are typed', () => {
  expect(shown('x'.repeat(10_000), '\r').lines[0]).toHaveLength(4_096)
})
