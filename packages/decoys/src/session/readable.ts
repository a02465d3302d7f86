// Makes bytes that an intruder sent readable in an event: text stays text, control characters are escaped.
import { isUtf8 } from 'node:buffer'
import { byWord } from '@rookery/kernel/by-word.ts'

/** UTF-8 where the bytes are valid UTF-8, else Latin-1: old protocols do not say which of both they carry. */
export const textOfBytes = (bytes: Buffer): string => bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')

/** From latin1 (one character a byte): the text that the bytes are, with control characters as `\x00`. */
export const readable = (latin1: string): string =>
  /[^\x20-\x7e]/.test(latin1) ? readableText(textOfBytes(Buffer.from(latin1, 'latin1'))) : latin1

export const readableBytes = (bytes: Buffer): string => readableText(textOfBytes(bytes))

/** From a text. Control characters, bidi marks and line separators could forge what people see. */
export const readableText = (text: string): string => escaped(text, FORGING, escapeCharacter)

const FORGING = /[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g

/** With each character of these runs escaped. A call for each of a million would take longer than all the rest of a line. */
export function escaped(text: string, runs: RegExp, escape: (c: string) => string): string {
  const known = new Map<string, string>()
  return text.replace(runs, (run) => {
    const parts = Array.from<string>({ length: run.length })
    for (let at = 0; at < run.length; at += 1) {
      const c = run[at]!
      let part = known.get(c)
      if (part === undefined) known.set(c, (part = escape(c)))
      parts[at] = part
    }
    return parts.join('')
  })
}

const SHORT_ESCAPES = byWord<string>({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })

const escapeCharacter = (c: string): string => {
  const code = c.charCodeAt(0)
  return (
    SHORT_ESCAPES[c] ??
    (code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`)
  )
}
