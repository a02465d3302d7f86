// Numbers as Redis reads and writes them: C's `%.17g`, and sums of long doubles.

/** As C's `%.17g`. */
export function formatDouble(value: number): string {
  if (Math.abs(value) === Infinity) return value > 0 ? 'inf' : '-inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const exponent = Number(/e([+-]\d+)$/.exec(value.toExponential(16))![1])
  if (exponent < -4 || exponent >= 17) {
    const [digits = '', power = ''] = value.toExponential(16).split('e')
    const sign = power.startsWith('-') ? '-' : '+'
    return `${trimZeros(digits)}e${sign}${power.slice(1).padStart(2, '0')}`
  }
  return trimZeros(value.toFixed(Math.max(0, 16 - exponent)))
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** An x87 long double: `mantissa` times 2 to the `exponent`. */
interface LongDouble {
  readonly mantissa: bigint
  readonly exponent: number
}

const MANTISSA_BITS = 64
const SHOWN_DECIMALS = 17
/** Larger and smaller numbers would make texts of thousands of digits. */
const MAX_POWER = 400

const bitLength = (value: bigint): number => (value < 0n ? -value : value).toString(2).length

const divideRounded = (value: bigint, by: bigint): bigint => {
  const sign = value < 0n ? -1n : 1n
  const [whole, rest] = [(value * sign) / by, (value * sign) % by]
  const isUp = rest * 2n > by || (rest * 2n === by && whole % 2n === 1n)
  return sign * (isUp ? whole + 1n : whole)
}

/** The nearest long double of a fraction. */
function nearest(numerator: bigint, denominator: bigint): LongDouble {
  const exponent = bitLength(numerator) - bitLength(denominator) - MANTISSA_BITS + 1
  const mantissa =
    exponent >= 0
      ? divideRounded(numerator, denominator << BigInt(exponent))
      : divideRounded(numerator << BigInt(-exponent), denominator)
  return { mantissa, exponent }
}

/** Undefined: the text is no finite decimal, or one with too many digits. */
function toLongDouble(text: string): LongDouble | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)
  if (!found) return undefined
  const [, sign = '', whole = '', part = '', power = '0'] = found
  const shift = Number(power) - part.length
  if (Math.abs(shift) > MAX_POWER || whole.length + part.length > MAX_POWER) return undefined
  const digits = BigInt(whole + part || '0') * (sign === '-' ? -1n : 1n)
  const ten = 10n ** BigInt(Math.abs(shift))
  return shift >= 0 ? nearest(digits * ten, 1n) : nearest(digits, ten)
}

function add(a: LongDouble, b: LongDouble): LongDouble {
  const exponent = Math.min(a.exponent, b.exponent)
  const aligned = (one: LongDouble): bigint => one.mantissa << BigInt(one.exponent - exponent)
  const sum = aligned(a) + aligned(b)
  return exponent >= 0 ? nearest(sum << BigInt(exponent), 1n) : nearest(sum, 1n << BigInt(-exponent))
}

/** The sum of two decimal texts as INCRBYFLOAT shows it, C's `%.17Lf`; undefined when it is not finite. */
export function formatSum(a: string, b: string): string | undefined {
  const [left, right] = [toLongDouble(a), toLongDouble(b)]
  if (!left || !right) return formatLarge(parseDouble(a) + parseDouble(b))
  const { mantissa, exponent } = add(left, right)
  const scaled = mantissa * 10n ** BigInt(SHOWN_DECIMALS)
  const rounded = exponent >= 0 ? scaled << BigInt(exponent) : divideRounded(scaled, 1n << BigInt(-exponent))
  const digits = (rounded < 0n ? -rounded : rounded).toString().padStart(SHOWN_DECIMALS + 1, '0')
  const text = trimZeros(`${digits.slice(0, -SHOWN_DECIMALS)}.${digits.slice(-SHOWN_DECIMALS)}`)
  return rounded < 0n ? `-${text}` : text
}

function formatLarge(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined
  return Number.isInteger(value) ? BigInt(value).toString() : trimZeros(value.toFixed(SHOWN_DECIMALS))
}

/** As C's `strtod`, if it takes the whole text: also hexadecimal and infinite; an empty text is 0. NaN: it does not. */
export function parseDouble(text: string): number {
  const shown = text.split('\0', 1)[0]!.replace(/^[ \t-\r]+/, '')
  if (shown === '') return 0
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(shown)!
  const value = /^inf(inity)?$/i.test(rest)
    ? Infinity
    : /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(rest)
      ? Number(rest)
      : parseHexadecimal(rest)
  return sign === '-' ? -value : value
}

/** `0x1.8p3`: the power is one of two. */
function parseHexadecimal(text: string): number {
  const [, whole = '', part = '', power = '0'] =
    /^0x([\da-f]{0,64})(?:\.([\da-f]{0,64}))?(?:p([+-]?\d{1,5}))?$/i.exec(text) ?? []
  if (whole + part === '') return NaN
  return Number(`0x${whole}${part}`) * 2 ** (Number(power) - 4 * part.length)
}
