// How library functions of Lua read their arguments, and what they say of wrong ones.
import { LuaFault, LuaTable, toNumber, toText, typeOf, type LuaFunction, type LuaValue } from './values.ts'

export type Args = readonly LuaValue[]
export type Native = (args: Args) => readonly LuaValue[]

/** A table of functions by their name. */
export function library(
  functions: Readonly<Record<string, Native>>,
  more: Readonly<Record<string, LuaValue>> = {},
): LuaTable {
  const table = LuaTable.from(more)
  for (const [name, call] of Object.entries(functions)) table.set(name, native(name, call))
  table.isReadonly = true
  return table
}

export const native = (name: string, call: Native): LuaFunction => ({ name, call })

export const badArgument = (at: number, name: string, why: string): LuaFault =>
  new LuaFault(`bad argument #${at + 1} to '${name}' (${why})`)

const gotInstead = (args: Args, at: number): string => (at < args.length ? typeOf(args[at]) : 'no value')

const wrongType = (args: Args, at: number, name: string, wanted: string): LuaFault =>
  badArgument(at, name, `${wanted} expected, got ${gotInstead(args, at)}`)

export function textArgument(args: Args, at: number, name: string): string {
  const text = toText(args[at])
  if (text === undefined) throw wrongType(args, at, name, 'string')
  return text
}

export function numberArgument(args: Args, at: number, name: string, otherwise?: number): number {
  if (otherwise !== undefined && args[at] === undefined) return otherwise
  const number = toNumber(args[at])
  if (number === undefined) throw wrongType(args, at, name, 'number')
  return number
}

export const integerArgument = (args: Args, at: number, name: string, otherwise?: number): number =>
  Math.trunc(numberArgument(args, at, name, otherwise)) || 0

export function tableArgument(args: Args, at: number, name: string): LuaTable {
  const table = args[at]
  if (!(table instanceof LuaTable)) throw wrongType(args, at, name, 'table')
  return table
}

export function functionArgument(args: Args, at: number, name: string): LuaFunction {
  const found = args[at]
  if (typeof found !== 'object' || found instanceof LuaTable) throw wrongType(args, at, name, 'function')
  return found
}

export function anyArgument(args: Args, at: number, name: string): LuaValue {
  if (at >= args.length) throw badArgument(at, name, 'value expected')
  return args[at]
}
