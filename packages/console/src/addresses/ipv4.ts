// IPv4 addresses as numbers.

const LONGEST = '255.255.255.255'.length
const DOT = 46
const ZERO = 48

/** The address as a number, 0 … 2³² − 1; undefined unless the text is the one usual spelling of an IPv4 address. */
export function ipv4Value(text: string): number | undefined {
  if (text.length > LONGEST) return undefined
  let value = 0
  let dots = 0
  let octet: number | undefined
  // By hand: every touch asks several times.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      if (octet === undefined) return undefined
      value = value * 256 + octet
      octet = undefined
      dots++
    } else {
      const digit = code - ZERO
      // No digit follows a leading zero.
      if (digit < 0 || digit > 9 || octet === 0) return undefined
      octet = (octet ?? 0) * 10 + digit
      if (octet > 255) return undefined
    }
  }
  return dots === 3 && octet !== undefined ? value * 256 + octet : undefined
}
