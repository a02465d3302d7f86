// string.format of Lua: C's printf, and `%q`.
import { badArgument, integerArgument, numberArgument, textArgument, type Args } from './arguments.ts'
import { MAX_TEXT_LENGTH, type Machine } from './operations.ts'
import { LuaFault } from './values.ts'

const SPECIFIER = /%([-+ #0]*)(\d*)(?:\.(\d*))?(.?)/gs
const MAX_WIDTH = 99
const CONVERSION_WORK = 20
/** Of what is quoted, most. */
const CHARACTERS_A_UNIT = 2

/** What it makes is paid piece by piece: an argument may be long, and named often. */
export function format(machine: Machine, args: Args): string {
  let at = 0
  let length = 0
  const pattern = textArgument(args, 0, 'format')
  machine.spend(pattern.length * 2)
  return pattern.replace(
    SPECIFIER,
    (whole, flags: string, width: string, precision: string | undefined, kind: string) => {
      if (whole === '%%') return '%'
      if (flags.length > 5) throw new LuaFault('invalid format (repeated flags)')
      if (width.length > 2 || (precision?.length ?? 0) > 2)
        throw new LuaFault('invalid format (width or precision too long)')
      at += 1
      const text = convert(
        args,
        at,
        kind,
        flags,
        precision === undefined ? undefined : Number(precision),
        whole,
      )
      const padded = pad(text, flags, Math.min(MAX_WIDTH, Number(width)), kind)
      machine.spend(CONVERSION_WORK + padded.length / CHARACTERS_A_UNIT)
      if ((length += padded.length) > MAX_TEXT_LENGTH) throw new LuaFault('not enough memory')
      return padded
    },
  )
}

function convert(
  args: Args,
  at: number,
  kind: string,
  flags: string,
  precision: number | undefined,
  whole: string,
): string {
  switch (kind) {
    case 'c':
      return String.fromCharCode(integerArgument(args, at, 'format') & 255)
    case 'd':
    case 'i':
      return signed(integerText(numberArgument(args, at, 'format'), precision), flags)
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return unsigned(numberArgument(args, at, 'format'), kind, flags, precision)
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return signed(floating(numberArgument(args, at, 'format'), kind, precision ?? 6), flags)
    case 'q':
      return quote(textArgument(args, at, 'format'))
    case 's': {
      if (at >= args.length) throw badArgument(at, 'format', 'string expected, got no value')
      const text = textArgument(args, at, 'format')
      return precision === undefined ? text : text.slice(0, precision)
    }
    default:
      throw new LuaFault(`invalid option '${whole.slice(0, 2)}' to 'format'`)
  }
}

const toInteger = (value: number): bigint =>
  Number.isFinite(value) ? BigInt.asIntN(64, BigInt(Math.trunc(value))) : -(2n ** 63n)

function integerText(value: number, precision = 1): string {
  const integer = toInteger(value)
  const digits = (integer < 0n ? -integer : integer).toString().padStart(precision, '0')
  return integer < 0n ? `-${digits}` : digits
}

function unsigned(value: number, kind: string, flags: string, precision = 1): string {
  const radix = kind === 'o' ? 8 : kind === 'u' ? 10 : 16
  const digits = BigInt.asUintN(64, toInteger(value)).toString(radix).padStart(precision, '0')
  const text = flags.includes('#') && radix === 16 && value !== 0 ? `0x${digits}` : digits
  return kind === 'X' ? text.toUpperCase() : text
}

const signed = (text: string, flags: string): string =>
  text.startsWith('-') ? text : flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text

const fixExponent = (text: string): string =>
  text.replace(/e([+-])(\d)$/, (_, sign: string, digit: string) => `e${sign}0${digit}`)

function floating(value: number, kind: string, precision: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '-nan' : value > 0 ? 'inf' : '-inf'
  const lower = kind.toLowerCase()
  const text =
    lower === 'f'
      ? fixed(value, precision)
      : lower === 'e'
        ? value.toExponential(precision)
        : general(value, precision || 1)
  return kind === lower ? fixExponent(text) : fixExponent(text).toUpperCase()
}

const fixed = (value: number, precision: number): string =>
  Math.abs(value) < 1e21
    ? value.toFixed(precision)
    : `${BigInt(value)}${precision ? `.${'0'.repeat(precision)}` : ''}`

function general(value: number, precision: number): string {
  if (value === 0) return '0'
  const [digits = '', power = ''] = value.toExponential(precision - 1).split('e')
  const trim = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
  const exponent = Number(power)
  if (exponent < -4 || exponent >= precision) return `${trim(digits)}e${power}`
  return trim(value.toFixed(Math.max(0, precision - 1 - exponent)))
}

const quote = (text: string): string =>
  `"${text.replace(/["\\\n]|\r|\0/g, (c) => (c === '\r' ? '\\r' : c === '\0' ? '\\000' : `\\${c}`))}"`

function pad(text: string, flags: string, width: number, kind: string): string {
  if (text.length >= width) return text
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0') || /[scq]/.test(kind)) return text.padStart(width)
  const sign = /^[-+ ]/.exec(text)?.[0] ?? ''
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}
