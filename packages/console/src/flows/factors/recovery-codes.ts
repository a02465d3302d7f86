// Recovery codes: ten, of 120 random bits, in letters and digits that nobody mistakes for another (Crockford's base 32).
import type { Random } from '@rookery/kernel/world.ts'

const CODES = 10
const CHARACTERS = 24
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export const newRecoveryCodes = (random: Random): string[] =>
  Array.from({ length: CODES }, () =>
    Array.from(random.bytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  )

/** For people: in groups of four. */
export const printCode = (code: string): string => code.replaceAll(/(.{4})(?=.)/g, '$1-')

/** As it was typed: in any case, with or without hyphens, and with the letters that the alphabet leaves out. */
export const readCode = (typed: string): string =>
  typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll(/[il]/g, '1').replaceAll('o', '0')
