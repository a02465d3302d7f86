// Header fields and trailers (RFC 9112, 5), judged line by line as by Apache 2.4.

/** Apache's LimitRequestLine and LimitRequestFieldSize are 8190; it takes one byte more. */
export const MAX_LINE_BYTES = 8_191
/** Apache's LimitRequestFields. */
export const MAX_FIELDS = 100

export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
export const FIELD_TOO_LONG = 'Size of a request header field exceeds server limit.'
export const TOO_MANY_FIELDS = "The number of request header fields exceeds this server's limit."

/** The fields; or, as text, the note for the error page on what is wrong (may be empty). */
export function parseFields(text: string): Map<string, string> | string {
  const lines = text.split('\r\n')
  // A line is judged when the next one is read.
  const refused = (at: number): string =>
    (lines[at + 1]?.length ?? 0) > MAX_LINE_BYTES ? FIELD_TOO_LONG : ''
  const fields = new Map<string, string>()
  if (!text) return fields
  let count = 0
  let last = ''
  for (const [at, line] of lines.entries()) {
    if (line.length > MAX_LINE_BYTES) return FIELD_TOO_LONG
    if (/[\x00-\x08\n-\x1f\x7f]/.test(line)) return refused(at)
    if (/^[ \t]/.test(line)) {
      if (!last) return refused(at)
      fields.set(last, `${fields.get(last)!} ${line.trim()}`)
      continue
    }
    if ((count += 1) > MAX_FIELDS) return TOO_MANY_FIELDS
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    if (!TOKEN.test(name)) return refused(at)
    last = name.toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = fields.get(last)
    if (known !== undefined && (last === 'host' || last === 'content-length')) return refused(at)
    fields.set(last, known === undefined ? value : `${known}, ${value}`)
  }
  return fields
}

/** Longer beginnings are judged as a whole, so that a slow client costs little. */
const MAX_JUDGED_BYTES = 16 * 1024

/** Whether a beginning of fields is wrong already: a line is judged when the next one is there, its end and a NUL at once. */
export function isBroken(text: string): boolean {
  if (text.length > MAX_JUDGED_BYTES) return false
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (/(?<!\r)\n|\0/.test(whole) || /^[ \t]/.test(whole)) return true
  // What follows the last whole line is not there yet, and may go on with it.
  return whole
    .split('\r\n')
    .slice(0, -2)
    .some((line) => !/^[ \t]/.test(line) && !isField(line))
}

const isField = (line: string): boolean =>
  !/[\x00-\x08\n-\x1f\x7f]/.test(line) && TOKEN.test(line.slice(0, Math.max(0, line.indexOf(':'))))
