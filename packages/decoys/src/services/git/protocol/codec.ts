// The first packet of git's own protocol (gitprotocol-common(5), gitprotocol-pack(5)): a pkt-line with a request.
//
//   ┌────────────┬──────────────────────────────────────────────────────────────────────────┐
//   │ length, in │ git-upload-pack /path [LF] NUL host=<name>[:<port>] NUL [NUL version=2 NUL] │
//   │ 4 hex      │                                                                          │
//   └────────────┴──────────────────────────────────────────────────────────────────────────┘
import type { Decoded, Incomplete } from '../../../session/session.ts'

export interface Request {
  /** Without its LF; latin1, as all of them. */
  readonly line: string
  /** What stands behind its NUL; undefined where there is none. */
  readonly extra?: string
}

/** `broken`: no length of a packet. A flush, 0000, and its like are an empty request. */
export type Frame = Request | 'broken'

const HEADER = 4
/** Of a whole packet: LARGE_PACKET_MAX, of which git daemon reads a byte less. */
export const MAX_PACKET = 65_520

/** Never throws. */
export function decode(bytes: Buffer): Decoded<Frame> | Incomplete {
  if (bytes.length < HEADER) return { atLeast: HEADER }
  const header = bytes.toString('latin1', 0, HEADER)
  const length = /^[\dA-Fa-f]{4}$/.test(header) ? parseInt(header, 16) : HEADER - 1
  if (length < HEADER - 1) return { frame: { line: '' }, length: HEADER }
  if (length < HEADER || length - HEADER >= MAX_PACKET) return { frame: 'broken', length: HEADER }
  if (bytes.length < length) return { atLeast: length }
  const text = bytes.toString('latin1', HEADER, length)
  const end = text.indexOf('\0')
  const line = (end < 0 ? text : text.slice(0, end)).replace(/\n$/, '')
  return { frame: { line, ...(end >= 0 && { extra: text.slice(end + 1) }) }, length }
}

/** A packet of this text. */
export const packet = (text: string): string =>
  (text.length + HEADER).toString(16).padStart(HEADER, '0') + text
