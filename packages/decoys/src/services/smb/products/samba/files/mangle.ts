// Names of 8.3 for names that are none: `B` of `Budget 2026.xlsx`, five digits of a hash, `~`, one more, and an extension.

const PLAIN = /^[A-Z0-9_^$~!#%&\-{}()@'`]+$/
const RESERVED = /^(AUX|CLOCK\$|COM[1-4]|CON|LPT[1-3]|NUL|PRN)$/
const FNV_PRIME = 0x01000193
const FNV_START = 0xa6b93095
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ASCII = /^[\x20-\x7e]$/

/** Whether a name is one of 8.3, whatever its case. */
export function isShortName(name: string): boolean {
  if (name === '.' || name === '..') return true
  const [base = '', extension, ...more] = name.toUpperCase().split('.')
  if (more.length > 0 || base.length === 0 || base.length > 8 || !PLAIN.test(base) || RESERVED.test(base))
    return false
  return extension === undefined || (extension.length > 0 && extension.length <= 3 && PLAIN.test(extension))
}

function hashOf(text: string): number {
  let value = FNV_START
  for (const byte of Buffer.from(text.toUpperCase()))
    value = (Math.imul(value, FNV_PRIME) ^ ((byte << 24) >> 24)) >>> 0
  return value & 0x7fffffff
}

export function shortName(name: string): string {
  if (isShortName(name)) return name
  const dot = name.lastIndexOf('.')
  const ending = dot < 0 ? '' : name.slice(dot + 1)
  const isExtension = ending.length > 0 && ending.length < 4 && [...ending].every((each) => isPlain(each))
  const base = isExtension ? name.slice(0, dot) : name
  const first = name[0] ?? '_'
  const lead = isPlain(first) ? first.toUpperCase() : '_'
  let rest = hashOf(base)
  const digit = (): string => {
    const at = rest % 36
    rest = Math.floor(rest / 36)
    return DIGITS[at] ?? '0'
  }
  const last = digit()
  const digits = Array.from({ length: 5 }, digit).reverse().join('')
  return `${lead}${digits}~${last}${isExtension ? `.${ending.toUpperCase()}` : ''}`
}

const isPlain = (character: string): boolean => ASCII.test(character) && PLAIN.test(character.toUpperCase())
