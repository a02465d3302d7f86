// Enrolment codes: an operator copies one to a new Bird, which its console then commissions at once.
//
//   RK-00000C-00000C-… (8 groups)      each group: 5 digits of Crockford's base 32 and one check digit C
//   8 × 25 bits = 200 bits             13 bytes of secret, then 12 bytes: the start of SHA-256 of the console's public key
//
// The check digit is a weighted sum in GF(32) over the digits of the group and its place. It finds every wrong digit,
// every swap of two neighbours and every group in a wrong place, so that an error can name the group.
import { Fault } from '@rookery/kernel/fault.ts'
import { shortKeyHash } from './pairing.ts'

export const SECRET_BYTES = 13
const HASH_BYTES = 12
const GROUPS = 8
const GROUP_DIGITS = 5
const PREFIX = 'RK'
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export interface EnrolmentCode {
  /** 26 hex digits: what HELLO carries as `enrol`. The console stores only a hash of it. */
  readonly secret: string
  /** 24 hex digits: `shortKeyHash` of the console's key. */
  readonly consoleKeyHash: string
}

/** The code of a secret (SECRET_BYTES random bytes) for the console with this public key. */
export function formatEnrolment(secret: Uint8Array, consoleKey: Uint8Array): string {
  if (secret.length !== SECRET_BYTES)
    throw new RangeError(`An enrolment secret has ${SECRET_BYTES} bytes, not ${secret.length}.`)
  const bytes = Buffer.concat([secret, Buffer.from(shortKeyHash(consoleKey), 'hex')])
  let bits = BigInt('0x' + bytes.toString('hex'))
  const groups: string[] = []
  for (let place = GROUPS - 1; place >= 0; place--) {
    const values = Array.from({ length: GROUP_DIGITS }, () => {
      const value = Number(bits % 32n)
      bits /= 32n
      return value
    }).reverse()
    groups.unshift([...values, checkDigit(values, place)].map((value) => DIGITS[value]).join(''))
  }
  return [PREFIX, ...groups].join('-')
}

/** Reads a code in upper or lower case, with or without dashes, with O for 0 and I or L for 1. A `bad-input` fault names the group that has a typo. */
export function parseEnrolment(text: string): EnrolmentCode {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  const width = GROUP_DIGITS + 1
  const length = PREFIX.length + GROUPS * width
  if (!code.startsWith(PREFIX) || code.length !== length) {
    throw invalid(
      `it must be ${PREFIX} and ${GROUPS} groups of ${width} letters and digits; this has ${code.length} characters, not ${length}`,
    )
  }
  let bits = 0n
  for (let place = 0; place < GROUPS; place++) {
    const start = PREFIX.length + place * width
    const values = [...code.slice(start, start + width)].map((digit) => DIGITS.indexOf(digit))
    const check = values.pop()
    if (values.includes(-1) || check !== checkDigit(values, place)) {
      throw invalid(`there is a typo in group ${place + 1} (${code.slice(start, start + width)})`)
    }
    for (const value of values) bits = bits * 32n + BigInt(value)
  }
  const hex = bits.toString(16).padStart((SECRET_BYTES + HASH_BYTES) * 2, '0')
  return { secret: hex.slice(0, SECRET_BYTES * 2), consoleKeyHash: hex.slice(SECRET_BYTES * 2) }
}

const invalid = (reason: string): Fault =>
  new Fault('bad-input', `The enrolment code is not right: ${reason}.`)

/** Σ xⁱ·digitᵢ + x⁵·place in GF(2⁵) modulo x⁵ + x² + 1, by Horner's rule. A character that is no digit counts as 0. */
function checkDigit(values: readonly number[], place: number): number {
  let sum = place
  for (const value of values) sum = double(sum) ^ Math.max(0, value)
  return double(sum)
}

const double = (value: number): number => ((value << 1) & 31) ^ (value & 16 ? 0b00101 : 0)
