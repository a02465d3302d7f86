// Makes bytes that an intruder sent readable in an event: text stays text, everything else is escaped.

/** From latin1 (one character a byte): decodes UTF-8, and escapes control characters and other bytes as `\x00`. */
export function readable(latin1: string): string {
  if (!/[^\x20-\x7e]/.test(latin1)) return latin1
  const decoded = Buffer.from(latin1, 'latin1').toString('utf8')
  const text = decoded.includes('\uFFFD') ? latin1.replace(/[\x80-\xff]/g, escapeCharacter) : decoded
  // Control characters, bidi marks and line separators could forge what people see.
  return text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeCharacter)
}

/** The same from a text. */
export const readableText = (text: string): string => readable(Buffer.from(text).toString('latin1'))

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escapeCharacter = (c: string): string => {
  const code = c.charCodeAt(0)
  return (
    SHORT_ESCAPES[c] ??
    (code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`)
  )
}
