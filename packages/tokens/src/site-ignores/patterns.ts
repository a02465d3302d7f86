// A list of regular expressions in one text: commas separate them, but not in brackets nor after a backslash.
import { byWord } from '@rookery/kernel/by-word.ts'

const CLOSING = byWord<string>({ '(': ')', '[': ']', '{': '}' })

/** Without blanks around them; empty ones are left out. */
export function splitPatterns(text: string): string[] {
  const patterns: string[] = []
  const open: string[] = []
  let pattern = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const isOutside = open.length === 0
    if (character === ',' && isOutside) {
      patterns.push(pattern)
      pattern = ''
      continue
    }
    pattern += character
    if (character === '\\') pattern += text[++at] ?? ''
    else if (character === open.at(-1)) open.pop()
    // In a class of characters, brackets are characters.
    else if (open.at(-1) !== ']' && character in CLOSING) open.push(CLOSING[character] ?? '')
  }
  return [...patterns, pattern].map((it) => it.trim()).filter(Boolean)
}
