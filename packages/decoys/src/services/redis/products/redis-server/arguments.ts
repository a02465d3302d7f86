// How commands read their arguments, and the errors that they answer.
import type { Call } from './model/call.ts'
import { parseDouble } from '../../protocol/numbers.ts'

/** Thrown to answer a command with an error; the message is the RESP error without its minus. */
export class ErrorReply extends Error {}

export const syntaxError = (): ErrorReply => new ErrorReply('ERR syntax error')
/** With the subcommand as it was written. */
export const wrongSubcommand = ({ args: [name, child] }: Pick<Call, 'args'>): ErrorReply =>
  new ErrorReply(
    `ERR unknown subcommand or wrong number of arguments for '${cString(child ?? '').slice(0, 128)}'. Try ${upper(name)} HELP.`,
  )
export const notInteger = (): ErrorReply => new ErrorReply('ERR value is not an integer or out of range')
const notFloat = (): ErrorReply => new ErrorReply('ERR value is not a valid float')
export const wrongType = (): ErrorReply =>
  new ErrorReply('WRONGTYPE Operation against a key holding the wrong kind of value')

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/
const INT64 = 2n ** 63n

/** A signed 64-bit integer in the only spelling that Redis accepts. */
export function toInt64(text: string | undefined): bigint {
  if (text === undefined || !INTEGER.test(text)) throw notInteger()
  const value = BigInt(text)
  if (value >= INT64 || value < -INT64) throw notInteger()
  return value
}
export const toInteger = (text: string | undefined): number => Number(toInt64(text))
/** Undefined: it is no integer of 64 bits. */
export const parseInteger = (text: string): number | undefined =>
  INTEGER.test(text) && isInt64(BigInt(text)) ? Number(text) : undefined
/** No less than zero. */
export const isCount = (text: string): boolean => (parseInteger(text) ?? -1) >= 0
export const isInt64 = (value: bigint): boolean => value < INT64 && value >= -INT64

/** An integer of 32 bits, signed. */
export function toInt32(text: string | undefined): number {
  const value = toInteger(text)
  if (value >= -(2 ** 31) && value < 2 ** 31) return value
  throw new ErrorReply('ERR value is out of range, value must between -2147483648 and 2147483647')
}

export function toFloat(text: string | undefined): number {
  const value = text === undefined || /^$|^\s|\0/.test(text) ? NaN : parseDouble(text)
  if (Number.isNaN(value) || (!Number.isFinite(value) && !/inf/i.test(text!))) throw notFloat()
  return value
}

/** The text up to its first NUL: what C's `%s` prints. */
export const cString = (text: string): string => text.split('\0', 1)[0]!

/** Start and end (exclusive) of a range; negative indexes count from the end. */
export function resolveRange(length: number, first: number, last: number): [number, number] {
  const from = Math.max(0, first < 0 ? length + first : first)
  const to = Math.min(length - 1, last < 0 ? length + last : last)
  return from > to ? [0, 0] : [from, to + 1]
}

export const upper = (text: string | undefined): string => text?.toUpperCase() ?? ''
