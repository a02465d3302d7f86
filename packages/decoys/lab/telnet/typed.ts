// What is typed at a prompt of login, at random.
import type { Draw } from '../../test/draw.ts'

export const NAMES = [
  'root',
  'admin',
  'user',
  'pi',
  '-f root',
  '',
  'a b',
  'ü',
  'x'.repeat(300),
  'Administrator',
  '+x',
]
export const PASSWORDS = ['root', 'admin', '1234', '', 'pass word', 'p\xe4ss', 'x'.repeat(600), 'letmein!']
export const ENDS = ['\r\0', '\r\n', '\r', '\n'] as const
/** Characters that the terminal acts upon; those that end login or stop its output come rarely. */
const EDITING = [
  '\x7f',
  '\x15',
  '\x17',
  '\x12',
  '\x16',
  '\t',
  '\x08',
  '\x01',
  '\x1b[A',
  '\x7f\x7f',
  '\0',
  '\x80',
]

/** What is typed in one line, at a prompt that echoes or does not. */
export function typed(draw: Draw, words: readonly string[]): string {
  const word = draw.pick(words)
  if (draw.chance(0.6)) return word
  return draw
    .many(1, 5, () => (draw.chance(0.5) ? draw.pick(EDITING) : draw.pick(['ab', 'foo bar', 'x', word])))
    .join('')
}
