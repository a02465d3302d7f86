// A token as the npm registry issues it: secret scanners, and people who look for such tokens, check its last six characters.
import { crc32 } from 'node:zlib'
import type { Derive } from '../../derive.ts'
import { openDraws } from '../../draws.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_DIGITS = 6

/** `npm_`, 30 characters, and their CRC-32 in base 62. */
export function registryToken(derive: Derive): string {
  const random = openDraws(derive, 'registry token').text(BASE62, 30)
  return `npm_${random}${checksum(random)}`
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < CHECKSUM_DIGITS) {
    digits = (BASE62[rest % BASE62.length] ?? '') + digits
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}
