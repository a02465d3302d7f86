// Commands on strings.
import { countChanges, find, findTyped, peek, put, remove } from '../values/find.ts'
import {
  toInt64,
  toFloat,
  toInteger,
  isInt64,
  resolveRange,
  ErrorReply,
  syntaxError,
  upper,
} from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { lcs } from './lcs.ts'
import { formatSum } from '../../../protocol/numbers.ts'
import { array, bulk, integer, bulkOrNil, nil, OK, OOM } from '../../../protocol/resp.ts'

const read = (call: Call, key: string): string | undefined => findTyped(call, key, 'string')?.value
const write = (call: Call, key: string, value: string, expiresAt?: number): void =>
  put(call, key, { type: 'string', value, expiresAt })
/** Changes the value and keeps the time to live. */
const update = (call: Call, key: string, value: string, isRaw = false): void =>
  put(call, key, { type: 'string', value, isRaw, expiresAt: find(call, key)?.expiresAt })

const badExpiry = (name: string): ErrorReply =>
  new ErrorReply(`ERR invalid expire time in '${name.toLowerCase()}' command`)

/** The expiry that an option or argument gives; `unit` is EX, PX, EXAT or PXAT. */
function expiry(call: Call, unit: string, text: string | undefined, name: string): number {
  const value = toInteger(text)
  const ms = unit.startsWith('PX') ? value : value * 1000
  if (value <= 0 || Math.abs(ms) > 9.2e18) throw badExpiry(name)
  const at = unit.endsWith('AT') ? ms : call.now + ms
  if (at > 9.2e18) throw badExpiry(name)
  return at
}

/** Options of SET and GETEX. */
interface SetOptions {
  /** NX or XX. */
  condition?: string
  expiresAt?: number
  keepsTtl?: boolean
  persists?: boolean
  returnsOld?: boolean
}

/** Without a key that times could be given to, they are not read. */
function parseOptions(
  call: Call,
  from: number,
  allowed: RegExp,
  hasKey: () => boolean = () => true,
): SetOptions {
  const found: SetOptions = {}
  const name = call.args[0]!
  const hasTime = (): boolean => found.expiresAt !== undefined || !!found.keepsTtl || !!found.persists
  let expiryOption: [string, string] | undefined
  for (let at = from; at < call.args.length; at += 1) {
    const word = upper(call.args[at])
    if (!allowed.test(word)) throw syntaxError()
    if (word === 'NX' || word === 'XX') {
      if (found.condition && found.condition !== word) throw syntaxError()
      found.condition = word
    } else if (word === 'GET') found.returnsOld = true
    else {
      if (hasTime() || expiryOption) throw syntaxError()
      if (word === 'KEEPTTL') found.keepsTtl = true
      else if (word === 'PERSIST') found.persists = true
      else {
        const value = call.args[++at]
        if (value === undefined) throw syntaxError()
        expiryOption = [word, value]
      }
    }
  }
  if (expiryOption && hasKey()) found.expiresAt = expiry(call, ...expiryOption, name)
  return found
}

const set: Command = (call) => {
  const [, key = '', value = ''] = call.args
  if (call.args.length === 3) {
    write(call, key, value)
    return OK
  }
  const { resp } = call.client
  const { condition, expiresAt, keepsTtl, returnsOld } = parseOptions(
    call,
    3,
    /^(NX|XX|GET|KEEPTTL|(EX|PX)(AT)?)$/,
  )
  call.server.isReading = returnsOld ?? false
  const old = returnsOld ? findTyped(call, key, 'string') : find(call, key)
  const oldText = old?.type === 'string' ? old.value : undefined
  const isRefused = (condition === 'NX' && old) || (condition === 'XX' && !old)
  if (isRefused) {
    countChanges(call, 0)
    return returnsOld ? bulkOrNil(oldText, resp) : nil(resp)
  }
  write(call, key, value, keepsTtl ? old?.expiresAt : expiresAt)
  return returnsOld ? bulkOrNil(oldText, resp) : OK
}

const increment =
  (sign: 1n | -1n): Command =>
  (call) => {
    const [, key = '', by] = call.args
    const step = by === undefined ? 1n : toInt64(by)
    if (sign < 0n && step === -(2n ** 63n)) throw new ErrorReply('ERR decrement would overflow')
    const sum = toInt64(read(call, key) ?? '0') + sign * step
    if (!isInt64(sum)) throw new ErrorReply('ERR increment or decrement would overflow')
    update(call, key, String(sum))
    return integer(sum)
  }

const setEx: Command = (call) => {
  const [name = '', key = '', time, value = ''] = call.args
  write(call, key, value, expiry(call, upper(name) === 'PSETEX' ? 'PX' : 'EX', time, name))
  return OK
}

const getRange: Command = (call) => {
  const [first, last] = [toInteger(call.args[2]), toInteger(call.args[3])]
  const text = read(call, call.args[1]!) ?? ''
  return bulk(text.slice(...resolveRange(text.length, first, last)))
}

function assertPairs({ args }: Call): void {
  if (args.length % 2 === 0) {
    throw new ErrorReply(`ERR wrong number of arguments for '${args[0]!.toLowerCase()}' command`)
  }
}

const writePairs = (call: Call): void => {
  for (let at = 1; at < call.args.length; at += 2) write(call, call.args[at]!, call.args[at + 1]!)
}

/** Of a text that is read as a number. */
const CHARACTERS_A_UNIT = 8
/** `proto-max-bulk-len`. */
const MAX_TEXT_LENGTH = 512 * 1024 * 1024
export const strings: Record<string, Command> = {
  lcs,
  get: (call) => bulkOrNil(read(call, call.args[1]!), call.client.resp),
  set,
  setnx: (call) => {
    if (find(call, call.args[1]!)) return integer(0)
    write(call, call.args[1]!, call.args[2]!)
    return integer(1)
  },
  setex: setEx,
  psetex: setEx,
  getset: (call) => {
    const old = read(call, call.args[1]!)
    write(call, call.args[1]!, call.args[2]!)
    return bulkOrNil(old, call.client.resp)
  },
  getdel: (call) => {
    const old = read(call, call.args[1]!)
    if (old !== undefined) remove(call, call.args[1]!)
    return bulkOrNil(old, call.client.resp)
  },
  getex: (call) => {
    let found: { value: string | undefined } | undefined
    // It is looked up once, as INFO shows.
    const look = (): string | undefined => (found ??= { value: read(call, call.args[1]!) }).value
    const hasKey = (): boolean => look() !== undefined
    const { expiresAt, persists } = parseOptions(call, 2, /^(PERSIST|(EX|PX)(AT)?)$/, hasKey)
    const old = look()
    const isPersisted = persists && peek(call, call.args[1]!)?.expiresAt !== undefined
    const isChange = old !== undefined && (isPersisted || expiresAt !== undefined)
    countChanges(call, isChange ? 1 : 0)
    if (isChange) write(call, call.args[1]!, old, expiresAt)
    return bulkOrNil(old, call.client.resp)
  },
  mget: (call) =>
    array(
      call.args.slice(1).map((key) => {
        const entry = find(call, key)
        return bulkOrNil(entry?.type === 'string' ? entry.value : undefined, call.client.resp)
      }),
    ),
  mset: (call) => {
    assertPairs(call)
    writePairs(call)
    return OK
  },
  msetnx: (call) => {
    assertPairs(call)
    if (call.args.some((key, i) => i % 2 === 1 && find(call, key))) return integer(0)
    writePairs(call)
    return integer(1)
  },
  incr: increment(1n),
  incrby: increment(1n),
  decr: increment(-1n),
  decrby: increment(-1n),
  incrbyfloat: (call) => {
    const old = read(call, call.args[1]!) ?? '0'
    call.work.spend(old.length / CHARACTERS_A_UNIT)
    toFloat(old)
    toFloat(call.args[2])
    const sum = formatSum(old, call.args[2]!)
    if (sum === undefined) throw new ErrorReply('ERR increment would produce NaN or Infinity')
    update(call, call.args[1]!, sum)
    return bulk(sum)
  },
  append: (call) => {
    const text = (read(call, call.args[1]!) ?? '') + call.args[2]!
    update(call, call.args[1]!, text, find(call, call.args[1]!) !== undefined)
    return integer(text.length)
  },
  strlen: (call) => integer(read(call, call.args[1]!)?.length ?? 0),
  getrange: getRange,
  substr: getRange,
  setrange: (call) => {
    const [, key = '', offset, part = ''] = call.args
    const at = toInteger(offset)
    if (at < 0) throw new ErrorReply('ERR offset is out of range')
    const old = read(call, key) ?? ''
    if (!part) {
      countChanges(call, 0)
      return integer(old.length)
    }
    if (at + part.length > MAX_TEXT_LENGTH)
      throw new ErrorReply('ERR string exceeds maximum allowed size (proto-max-bulk-len)')
    if (call.server.keyspace.isFull(at + part.length)) return OOM
    const text = old.padEnd(at, '\0').slice(0, at) + part + old.slice(at + part.length)
    update(call, key, text, true)
    return integer(text.length)
  },
}
