// FTP commands (RFC 959, 4.1.3): `VERB argument CRLF`, latin1, as vsftpd reads them.
import type { Decoded } from '../../session.ts'

export interface Line {
  /** Upper case; empty for an empty line. */
  readonly verb: string
  readonly argument: string
}

const LINE_MAX = 4_096

/** A line, or `too-long` when 4,096 bytes hold no end of one. Never throws. */
export function decode(bytes: Buffer): Decoded<Line | 'too-long'> {
  const end = bytes.indexOf(10)
  if (end >= LINE_MAX || (end < 0 && bytes.length >= LINE_MAX))
    return { frame: 'too-long', length: bytes.length }
  if (end < 0) return undefined
  const text = bytes.toString('latin1', 0, bytes[end - 1] === 13 ? end - 1 : end)
  const blank = text.indexOf(' ')
  const verb = (blank < 0 ? text : text.slice(0, blank)).toUpperCase()
  return { frame: { verb, argument: blank < 0 ? '' : text.slice(blank + 1) }, length: end + 1 }
}
