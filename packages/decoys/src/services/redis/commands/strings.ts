// Commands on strings.
import {
  big,
  find,
  findOf,
  float,
  int,
  isInt64,
  put,
  range,
  Refusal,
  remove,
  spellFloat,
  syntaxError,
  upper,
  type Call,
  type Command,
} from '../call.ts'
import { array, bulk, integer, maybe, nil, OK, OOM } from '../resp.ts'

const read = (call: Call, key: string): string | undefined => findOf(call, key, 'string')?.value
const write = (call: Call, key: string, value: string, expiresAt?: number): void =>
  put(call, key, { type: 'string', value, expiresAt })
/** Changes the text and keeps the time to live. */
const change = (call: Call, key: string, value: string): void =>
  write(call, key, value, find(call, key)?.expiresAt)

const badExpiry = (name: string): Refusal =>
  new Refusal(`ERR invalid expire time in '${name.toLowerCase()}' command`)

function expiry(call: Call, unit: string, text: string | undefined, name: string): number {
  const value = int(text)
  const ms = unit.startsWith('PX') ? value : value * 1000
  if (value <= 0 || Math.abs(ms) > 9.2e18) throw badExpiry(name)
  const at = unit.endsWith('AT') ? ms : call.now + ms
  if (at > 9.2e18) throw badExpiry(name)
  return at
}

interface SetOptions {
  when?: string
  expiresAt?: number
  keeps?: boolean
  persists?: boolean
  answersOld?: boolean
}

function options(call: Call, from: number, allowed: RegExp): SetOptions {
  const found: SetOptions = {}
  const name = call.args[0]!
  const hasTime = (): boolean => found.expiresAt !== undefined || !!found.keeps || !!found.persists
  let timed: [string, string] | undefined
  for (let at = from; at < call.args.length; at += 1) {
    const word = upper(call.args[at])
    if (!allowed.test(word)) throw syntaxError()
    if (word === 'NX' || word === 'XX') {
      if (found.when && found.when !== word) throw syntaxError()
      found.when = word
    } else if (word === 'GET') found.answersOld = true
    else {
      if (hasTime() || timed) throw syntaxError()
      if (word === 'KEEPTTL') found.keeps = true
      else if (word === 'PERSIST') found.persists = true
      else {
        const value = call.args[++at]
        if (value === undefined) throw syntaxError()
        timed = [word, value]
      }
    }
  }
  if (timed) found.expiresAt = expiry(call, timed[0], timed[1], name)
  return found
}

const set: Command = (call) => {
  const [, key = '', value = ''] = call.args
  if (call.args.length === 3) {
    write(call, key, value)
    return OK
  }
  const { resp } = call.client
  const { when, expiresAt, keeps, answersOld } = options(call, 3, /^(NX|XX|GET|KEEPTTL|(EX|PX)(AT)?)$/)
  const old = answersOld ? findOf(call, key, 'string') : find(call, key)
  const oldText = old?.type === 'string' ? old.value : undefined
  if ((when === 'NX' && old) || (when === 'XX' && !old)) return answersOld ? maybe(oldText, resp) : nil(resp)
  write(call, key, value, keeps ? old?.expiresAt : expiresAt)
  return answersOld ? maybe(oldText, resp) : OK
}

const add =
  (sign: 1n | -1n): Command =>
  (call) => {
    const [, key = '', by] = call.args
    const step = by === undefined ? 1n : big(by)
    if (sign < 0n && step === -(2n ** 63n)) throw new Refusal('ERR decrement would overflow')
    const sum = big(read(call, key) ?? '0') + sign * step
    if (!isInt64(sum)) throw new Refusal('ERR increment or decrement would overflow')
    change(call, key, String(sum))
    return integer(sum)
  }

const setEx: Command = (call) => {
  const [name = '', key = '', time, value = ''] = call.args
  write(call, key, value, expiry(call, upper(name) === 'PSETEX' ? 'PX' : 'EX', time, name))
  return OK
}

const getRange: Command = (call) => {
  const [first, last] = [int(call.args[2]), int(call.args[3])]
  const text = read(call, call.args[1]!) ?? ''
  return bulk(text.slice(...range(text.length, first, last)))
}

function assertPairs({ args }: Call): void {
  if (args.length % 2 === 0) {
    throw new Refusal(`ERR wrong number of arguments for '${args[0]!.toLowerCase()}' command`)
  }
}

const writePairs = (call: Call): void => {
  for (let at = 1; at < call.args.length; at += 2) write(call, call.args[at]!, call.args[at + 1]!)
}

export const strings: Record<string, Command> = {
  get: (call) => maybe(read(call, call.args[1]!), call.client.resp),
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
    return maybe(old, call.client.resp)
  },
  getdel: (call) => {
    const old = read(call, call.args[1]!)
    if (old !== undefined) remove(call, call.args[1]!)
    return maybe(old, call.client.resp)
  },
  getex: (call) => {
    const { expiresAt, persists } = options(call, 2, /^(PERSIST|(EX|PX)(AT)?)$/)
    const old = read(call, call.args[1]!)
    if (old !== undefined && (persists || expiresAt !== undefined)) write(call, call.args[1]!, old, expiresAt)
    return maybe(old, call.client.resp)
  },
  mget: (call) =>
    array(
      call.args.slice(1).map((key) => {
        const entry = find(call, key)
        return maybe(entry?.type === 'string' ? entry.value : undefined, call.client.resp)
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
  incr: add(1n),
  incrby: add(1n),
  decr: add(-1n),
  decrby: add(-1n),
  incrbyfloat: (call) => {
    const sum = spellFloat(float(read(call, call.args[1]!) ?? '0') + float(call.args[2]))
    change(call, call.args[1]!, sum)
    return bulk(sum)
  },
  append: (call) => {
    const text = (read(call, call.args[1]!) ?? '') + call.args[2]!
    change(call, call.args[1]!, text)
    return integer(text.length)
  },
  strlen: (call) => integer(read(call, call.args[1]!)?.length ?? 0),
  getrange: getRange,
  substr: getRange,
  setrange: (call) => {
    const [, key = '', offset, part = ''] = call.args
    const at = int(offset)
    if (at < 0) throw new Refusal('ERR offset is out of range')
    const old = read(call, key) ?? ''
    if (!part) return integer(old.length)
    if (call.server.keyspace.isFull(at + part.length)) return OOM
    const text = old.padEnd(at, '\0').slice(0, at) + part + old.slice(at + part.length)
    change(call, key, text)
    return integer(text.length)
  },
}
