// The client's identification line (RFC 4253, 4.2), read as OpenSSH reads it: byte by byte, refusing at the first bad one.

/** Longest line that OpenSSH takes, without its ending. */
const LINE_BYTES = 8192

export type Ident =
  | { readonly kind: 'ident'; readonly text: string }
  /** OpenSSH answers these words and closes. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A scanner that OpenSSH knows by name and leaves standing. */
  | { readonly kind: 'scanner'; readonly text: string }

const INVALID: Ident = { kind: 'refused', reason: 'Invalid SSH identification string.' }

/** Reads one line from the front; undefined while it is neither whole nor wrong yet. */
export function readIdent(bytes: Buffer): { readonly frame: Ident; readonly length: number } | undefined {
  let isEnding = false
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === CR) {
      isEnding = true
      continue
    }
    if (byte === LF) {
      const text = bytes.subarray(0, at).toString('latin1').replace(/\r+$/, '')
      return { frame: judge(text), length: at + 1 }
    }
    length += 1
    if (byte === 0 || isEnding || length > LINE_BYTES) return { frame: INVALID, length: at + 1 }
  }
  return undefined
}

const SCANNER = /^Probe-|SSH_Version_Mapper/
const CR = 13
const LF = 10

/** `SSH-` major `.` minor `-` software, numbers as scanf reads them; 1.99 means 2.0. */
function judge(text: string): Ident {
  const found = /^SSH-[ \t\v\f]*([+-]?\d+)\.[ \t\v\f]*([+-]?\d+)-(.+)$/s.exec(text)
  if (!found) return INVALID
  const [major, minor] = [Number(found[1]), Number(found[2])]
  if (major !== 2 && !(major === 1 && minor === 99)) {
    return { kind: 'refused', reason: 'Protocol major versions differ.' }
  }
  return { kind: SCANNER.test(found[3]!) ? 'scanner' : 'ident', text }
}
