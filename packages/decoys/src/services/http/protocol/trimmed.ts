// Field values without the blanks around them. A pattern such as `/ +$/` begins anew at each blank of a value: it takes the square of
// its length.

/** Without these characters at its start and its end. */
export function trimmed(text: string, blanks: string): string {
  let from = 0
  while (from < text.length && blanks.includes(text[from]!)) from += 1
  return trimmedEnd(text.slice(from), blanks)
}

export function trimmedEnd(text: string, blanks: string): string {
  let to = text.length
  while (to > 0 && blanks.includes(text[to - 1]!)) to -= 1
  return text.slice(0, to)
}
