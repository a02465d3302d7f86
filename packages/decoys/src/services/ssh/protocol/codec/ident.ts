// The client's identification line (RFC 4253, 4.2). Like OpenSSH it reads byte by byte and refuses at the first bad one.

/** The longest line that OpenSSH accepts, without its line end. */
const MAX_LINE_BYTES = 8192

export type Ident =
  | { readonly kind: 'ident'; readonly text: string; readonly software: string }
  /** OpenSSH answers this text and closes. */
  | { readonly kind: 'refused'; readonly reason: string }

const INVALID: Ident = { kind: 'refused', reason: 'Invalid SSH identification string.' }

/** Reads one line from the front; undefined while it is neither complete nor wrong. */
export function readIdent(bytes: Buffer): { readonly frame: Ident; readonly length: number } | undefined {
  let sawCarriageReturn = false
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === CR) {
      sawCarriageReturn = true
      continue
    }
    if (byte === LF) {
      const text = bytes.subarray(0, at).toString('latin1').replace(/\r+$/, '')
      return { frame: parseIdent(text), length: at + 1 }
    }
    length += 1
    if (byte === 0 || sawCarriageReturn || length > MAX_LINE_BYTES) return { frame: INVALID, length: at + 1 }
  }
  return undefined
}

const CR = 13
const LF = 10

/** `SSH-` major `.` minor `-` software. Numbers as scanf reads them; 1.99 means 2.0. */
function parseIdent(text: string): Ident {
  const found = /^SSH-[ \t\v\f]*([+-]?\d+)\.[ \t\v\f]*([+-]?\d+)-(.+)$/s.exec(text)
  if (!found) return INVALID
  const [major, minor] = [Number(found[1]), Number(found[2])]
  if (major !== 2 && !(major === 1 && minor === 99)) {
    return { kind: 'refused', reason: 'Protocol major versions differ.' }
  }
  return { kind: 'ident', text, software: found[3]! }
}
