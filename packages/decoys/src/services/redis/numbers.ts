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

const DECIMALS = 40
const SHOWN_DECIMALS = 17
/** Beyond, `formatSum` adds doubles. */
const MAX_EXPONENT = 40

/** The decimal text as an integer times 10^-40; undefined when it is too large or too small for that. */
function toDecimal(text: string): bigint | undefined {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const exponent = Number(power)
  if (Math.abs(exponent) > MAX_EXPONENT || whole.length + part.length > 2 * DECIMALS) return undefined
  const shift = DECIMALS + exponent - part.length
  const digits = BigInt(whole + part || '0')
  const value = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return sign === '-' ? -value : value
}

/**
 * The sum of two decimal texts as INCRBYFLOAT shows it: long doubles, rounded to 17 decimals; undefined when it is not
 * finite.
 */
export function formatSum(a: string, b: string): string | undefined {
  const [left, right] = [toDecimal(a), toDecimal(b)]
  if (left === undefined || right === undefined) return formatLarge(toNumber(a) + toNumber(b))
  const sum = left + right
  const unit = 10n ** BigInt(DECIMALS - SHOWN_DECIMALS)
  const rounded = ((sum < 0n ? -sum : sum) + unit / 2n) / unit
  const digits = rounded.toString().padStart(SHOWN_DECIMALS + 1, '0')
  const text = trimZeros(`${digits.slice(0, -SHOWN_DECIMALS)}.${digits.slice(-SHOWN_DECIMALS)}`)
  return sum < 0n && text !== '0' ? `-${text}` : text
}

const toNumber = (text: string): number =>
  /inf/i.test(text) ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text)

function formatLarge(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined
  return Number.isInteger(value) ? BigInt(value).toString() : trimZeros(value.toFixed(SHOWN_DECIMALS))
}
