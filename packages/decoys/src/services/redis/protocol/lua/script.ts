// A script as EVAL runs it: its globals, its limits, and its result as a reply.
import {
  array,
  bulk,
  error,
  integer,
  map,
  nil,
  set,
  status,
  verbatim,
  double,
  type Protocol,
} from '../resp.ts'
import { formatDouble } from '../numbers.ts'
import { addBaseLibrary, show } from './base-library.ts'
import { addJsonLibrary } from './json-library.ts'
import { addMessagePackLibrary } from './message-pack-library.ts'
import { addRedisLibrary, IS_COUNTED, type ScriptHost } from './redis-library.ts'
import { LuaMachine } from './run.ts'
import { addStringLibrary } from './string-library.ts'
import { addStructLibrary } from './struct-library.ts'
import { addTableMathAndBits } from './table-library.ts'
import type { LineWork } from '../../../../session/line-work.ts'
import { KEY_WORK, LuaError, LuaSyntaxError, LuaTable, toText, type LuaValue } from './values.ts'

export type ScriptOutcome =
  | { readonly kind: 'value'; readonly value: LuaValue }
  | { readonly kind: 'syntax-error'; readonly message: string }
  | { readonly kind: 'error'; readonly message: string; readonly line: number; readonly isCounted: boolean }

export function runScript(
  script: string,
  { keys, args }: { readonly keys: readonly string[]; readonly args: readonly string[] },
  host: ScriptHost,
  work: LineWork,
): ScriptOutcome {
  const machine = new LuaMachine(work)
  addStringLibrary(machine)
  addTableMathAndBits(machine)
  addJsonLibrary(machine)
  addMessagePackLibrary(machine)
  addStructLibrary(machine)
  addRedisLibrary(machine, host)
  machine.globals.set('KEYS', LuaTable.of(keys))
  machine.globals.set('ARGV', LuaTable.of(args))
  addBaseLibrary(machine)
  machine.globals.isReadonly = true
  return outcomeOf(machine, script)
}

function outcomeOf(machine: LuaMachine, script: string): ScriptOutcome {
  try {
    return { kind: 'value', value: machine.load(script, 'user_script').call([])[0] }
  } catch (thrown) {
    if (thrown instanceof LuaSyntaxError) return { kind: 'syntax-error', message: thrown.message }
    if (thrown instanceof LuaError)
      return {
        kind: 'error',
        message: messageOf(machine, thrown.value),
        line: thrown.line ?? machine.line,
        isCounted: isCounted(thrown.value),
      }
    throw thrown
  }
}

/** The error that Redis's handler makes of what was thrown. */
function messageOf(machine: LuaMachine, value: LuaValue): string {
  if (!(value instanceof LuaTable)) return `ERR ${show(machine, value)}`
  return toText(value.get('err')) ?? 'ERR unknown error'
}

const isCounted = (value: LuaValue): boolean => value instanceof LuaTable && value.get(IS_COUNTED) === true

/** The errors in what a script returns that no command has answered. */
export function uncountedErrors(value: LuaValue, work: LineWork, depth = 0): string[] {
  work.spend(VALUE_WORK)
  if (!(value instanceof LuaTable) || depth > MAX_REPLY_DEPTH) return []
  const failure = toText(value.get('err'))
  if (failure !== undefined) return isCounted(value) ? [] : [failure]
  return itemsOf(value).flatMap((item) => uncountedErrors(item, work, depth + 1))
}

/** Whether a script compiles: the error, if not. */
export function compileError(script: string, work: LineWork): string | undefined {
  try {
    new LuaMachine(work).load(script, 'user_script')
    return undefined
  } catch (thrown) {
    if (thrown instanceof LuaSyntaxError) return thrown.message
    throw thrown
  }
}

const MAX_REPLY_DEPTH = 50
const VALUE_WORK = 6
const CHARACTERS_A_UNIT = 8

/** `redis.io`, "Lua to RESP2/RESP3 type conversion". */
export function replyOf(value: LuaValue, resp: Protocol, work: LineWork, depth = 0): string {
  work.spend(VALUE_WORK + (typeof value === 'string' ? value.length / CHARACTERS_A_UNIT : 0))
  if (depth > MAX_REPLY_DEPTH) return error('ERR reached lua stack limit')
  if (typeof value === 'string') return bulk(value)
  if (typeof value === 'number') return integer(toInteger(value))
  if (value === true) return integer(1)
  if (!(value instanceof LuaTable)) return nil(resp)
  return (
    taggedReply(value, resp, work, depth) ??
    array(itemsOf(value).map((item) => replyOf(item, resp, work, depth + 1)))
  )
}

function taggedReply(table: LuaTable, resp: Protocol, work: LineWork, depth: number): string | undefined {
  const text = (name: string): string | undefined => toText(table.get(name))
  const [failure, ok, big] = [text('err'), text('ok'), text('big_number')]
  if (failure !== undefined) return error(failure)
  if (ok !== undefined) return status(ok.replace(/[\r\n]/g, ' '))
  const number = table.get('double')
  if (typeof number === 'number') return double(formatDouble(number), resp)
  const [fields, members, plain] = ['map', 'set', 'verbatim_string'].map((name) => table.get(name))
  const show = (each: LuaValue): string => replyOf(each, resp, work, depth + 1)
  if (fields instanceof LuaTable) {
    work.spend(fields.size * KEY_WORK)
    return map(
      fields.keys().flatMap((key) => [show(key), show(fields.get(key))]),
      resp,
    )
  }
  if (members instanceof LuaTable) {
    work.spend(members.size * KEY_WORK)
    return set(members.keys().map(show), resp)
  }
  if (big !== undefined) return resp === 3 ? `(${big.replace(/[\r\n]/g, ' ')}\r\n` : bulk(big)
  const shown = plain instanceof LuaTable ? toText(plain.get('string')) : undefined
  return shown === undefined ? undefined : verbatim(shown, resp)
}

function itemsOf(table: LuaTable): LuaValue[] {
  const items: LuaValue[] = []
  for (let place = 1; table.get(place) !== undefined; place += 1) items.push(table.get(place))
  return items
}

/** As C casts a double to a long long on x86. */
function toInteger(value: number): bigint {
  const least = -(2n ** 63n)
  if (!Number.isFinite(value)) return least
  const integer = BigInt(Math.trunc(value))
  return integer >= least && integer < -least ? integer : least
}
