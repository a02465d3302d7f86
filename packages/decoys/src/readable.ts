// How bytes that an intruder sent are written into an event: as text where they are text, escaped where they are not.

/** Latin1 text (one character a byte) as people read it: UTF-8 is decoded, control characters and stray bytes become `\x00`. */
export function readable(latin1: string): string {
  if (!/[^\x20-\x7e]/.test(latin1)) return latin1
  const decoded = Buffer.from(latin1, 'latin1').toString('utf8')
  const text = decoded.includes('\uFFFD') ? latin1.replace(/[\x80-\xff]/g, escaped) : decoded
  // Controls, bidi marks and line separators would let an intruder forge what people see.
  return text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escaped)
}

const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (c: string): string => {
  const code = c.charCodeAt(0)
  return (
    NAMES[c] ??
    (code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`)
  )
}
