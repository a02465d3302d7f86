// Bytes in a setting: `\r`, `\n`, `\t`, `\\` and `\xHH`; all else is UTF-8. Loads in a browser.
import type { TextFormat } from '../../settings/descriptor.ts'

/** A wrong escape is no value: the console refuses it. */
export const ESCAPED: TextFormat = {
  pattern: '(?:[\\t\\n\\r]|[^\\\\\\p{Cc}]|\\\\[rnt\\\\]|\\\\x[\\dA-Fa-f]{2})*',
  expectation: 'a text whose only escapes are \\r, \\n, \\t, \\\\ and \\xHH',
}

const LETTERS: ReadonlyMap<string, number> = new Map([
  ['r', 13],
  ['n', 10],
  ['t', 9],
  ['\\', 92],
])

/** A backslash that begins no escape stands for itself. */
export const unfolded = (text: string): Buffer =>
  Buffer.concat(
    text.split(/(\\x[\dA-Fa-f]{2}|\\[rnt\\])/).map((part, at) => {
      if (at % 2 === 0) return Buffer.from(part)
      return Buffer.from([LETTERS.get(part[1]!) ?? parseInt(part.slice(2), 16)])
    }),
  )
