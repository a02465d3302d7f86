// FTP commands (RFC 959, 4.1.3): `VERB argument CRLF`, latin1, split as vsftpd splits them: it drops every CR at the end.
import type { Decoded } from '../../../session/session.ts'

export interface Command {
  /** Upper case; empty for a line that begins with a blank. */
  readonly verb: string
  readonly argument: string
}

const MAX_LINE_BYTES = 4_096

export type Line = Command | 'empty' | 'too-long'

/** A command; `too-long` when 4,096 bytes hold no line end. Never throws. */
export function decode(bytes: Buffer): Decoded<Line> {
  const end = bytes.indexOf(10)
  if (end >= MAX_LINE_BYTES || (end < 0 && bytes.length >= MAX_LINE_BYTES))
    return { frame: 'too-long', length: bytes.length }
  if (end < 0) return undefined
  let last = end
  while (bytes[last - 1] === 13) last -= 1
  const line = bytes.toString('latin1', 0, last)
  if (line === '') return { frame: 'empty', length: end + 1 }
  const space = line.indexOf(' ')
  const verb = (space < 0 ? line : line.slice(0, space)).toUpperCase()
  return { frame: { verb, argument: space < 0 ? '' : line.slice(space + 1) }, length: end + 1 }
}
