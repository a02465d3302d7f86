// The version that a server offers, and the one that a client asks for (RFC 6143, 7.1.1).

export const GREETING = 'RFB 003.008\n'

/** As `sscanf` reads it with `RFB %03d.%03d`. */
const VERSION = /^RFB[\t-\r ]*([+-]?\d{1,3}|[+-]\d{1,2})\.[\t-\r ]*([+-]?\d{1,3})/

/** Undefined: it is none. */
export function readVersion(message: Buffer): { readonly major: number; readonly minor: number } | undefined {
  const [, major, minor] = VERSION.exec(message.toString('latin1')) ?? []
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) }
}

/** The one that a server of 3.8 goes by. */
export const knownMinor = (minor: number): 3 | 7 | 8 => (minor >= 8 ? 8 : minor === 7 ? 7 : 3)
