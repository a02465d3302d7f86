// Base32 (RFC 4648, 6) without padding: DNS does not keep the case of a name.

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** The UTF-8 text; undefined when the characters are not base32 of one. */
export function base32Text(encoded: string): string | undefined {
  const bytes = new Uint8Array(Math.floor((encoded.length * 5) / 8))
  let bits = 0
  let value = 0
  let at = 0
  for (const character of encoded.toLowerCase()) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return undefined
    value = ((value << 5) | digit) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (value >> bits) & 0xff
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
