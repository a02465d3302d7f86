// Commands on keys of any type.
import {
  cString,
  toInt32,
  isInt64,
  toInt64,
  toInteger,
  ErrorReply,
  syntaxError,
  upper,
} from '../arguments.ts'
import { find, look, peek, put, remove } from '../values/find.ts'
import type { Call, Command } from '../model/call.ts'
import { encodingOf } from '../values/encoding.ts'
import { globOf } from '../../../protocol/glob.ts'
import { checkCursor } from './scan.ts'
import { isDatabase } from '../values/keyspace.ts'
import { isIntegerText } from '../rdb/text.ts'
import { array, bulk, bulks, integer, bulkOrNil, nil, OK, status } from '../../../protocol/resp.ts'

const del: Command = (call) =>
  integer(call.args.slice(1).filter((key) => find(call, key) && remove(call, key)).length)
/** How many of the keys are there, as `look` finds them. */
const count =
  (look: typeof find): Command =>
  (call) =>
    integer(call.args.slice(1).filter((key) => look(call, key)).length)

/** The time argument counts units of `unitMs`; `isAbsolute`: since the epoch. */
const expire =
  (unitMs: number, isAbsolute: boolean): Command =>
  (call) => {
    const [name = '', key = '', time, ...flags] = call.args
    const options = flags.map(upper)
    const unknown = flags.find((_, i) => !/^(NX|XX|GT|LT)$/.test(options[i]!))
    if (unknown !== undefined) throw new ErrorReply(`ERR Unsupported option ${cString(unknown)}`)
    const ms = toInt64(time) * BigInt(unitMs)
    const at = (isAbsolute ? 0 : call.now) + Number(ms)
    const isInside = isInt64(ms) && isInt64(ms + (isAbsolute ? 0n : BigInt(call.now)))
    if (!isInside) throw new ErrorReply(`ERR invalid expire time in '${name.toLowerCase()}' command`)
    const entry = find(call, key)
    if (!entry) return integer(0)
    const old = entry.expiresAt
    const isRefused =
      (options.includes('NX') && old !== undefined) ||
      (options.includes('XX') && old === undefined) ||
      (options.includes('GT') && (old === undefined || at <= old)) ||
      (options.includes('LT') && old !== undefined && at >= old)
    if (isRefused) return integer(0)
    if (at <= call.now) remove(call, key)
    else entry.expiresAt = at
    return integer(1)
  }

const timeLeft =
  (unitMs: number): Command =>
  (call) => {
    const entry = look(call, call.args[1]!)
    if (!entry) return integer(-2)
    return integer(entry.expiresAt === undefined ? -1 : Math.round((entry.expiresAt - call.now) / unitMs))
  }

const expiryTime =
  (unitMs: number): Command =>
  (call) => {
    const entry = look(call, call.args[1]!)
    if (!entry) return integer(-2)
    return integer(entry.expiresAt === undefined ? -1 : Math.floor((entry.expiresAt + unitMs / 2) / unitMs))
  }

function rename(call: Call, from: string, to: string): void {
  const entry = find(call, from)!
  if (from === to) return
  remove(call, from)
  put(call, to, entry)
  call.server.keyspace.addEntryBytes(entry)
}

function toDatabase(text: string | undefined): number {
  const db = toInt32(text)
  if (!isDatabase(db)) throw new ErrorReply('ERR DB index is out of range')
  return db
}

/** All of a database are looked at. */
const payForKeys = ({ server, client, work }: Call): void =>
  work.spend(server.keyspace.count(client.db) * KEY_WORK)
const KEY_WORK = 3

const scan: Command = (call) => {
  payForKeys(call)
  checkCursor(call.args[1]!)
  let pattern = '*'
  let type: string | undefined
  for (let at = 2; at < call.args.length; at += 2) {
    const [word, value] = [upper(call.args[at]), call.args[at + 1]]
    if (value === undefined) throw syntaxError()
    if (word === 'COUNT') {
      if (toInteger(value) < 1) throw syntaxError()
    } else if (word === 'MATCH') pattern = value
    else if (word === 'TYPE') type = value.toLowerCase()
    else throw syntaxError()
  }
  const { server, client, now } = call
  const matches = globOf(pattern, call.work.spend)
  const keys = server.keyspace
    .keys(client.db, now)
    .filter((key) => matches(key) && (!type || peek(call, key)?.type === type))
  return array([bulk('0'), bulks(keys)])
}

export const keys: Record<string, Command> = {
  del,
  unlink: del,
  exists: count(look),
  touch: count(find),
  type: (call) => status(look(call, call.args[1]!)?.type ?? 'none'),
  expire: expire(1000, false),
  pexpire: expire(1, false),
  expireat: expire(1000, true),
  pexpireat: expire(1, true),
  ttl: timeLeft(1000),
  pttl: timeLeft(1),
  expiretime: expiryTime(1000),
  pexpiretime: expiryTime(1),
  persist: (call) => {
    const entry = find(call, call.args[1]!)
    if (entry?.expiresAt === undefined) return integer(0)
    entry.expiresAt = undefined
    return integer(1)
  },
  keys: (call) => {
    const { server, client, now, args, work } = call
    payForKeys(call)
    return bulks(server.keyspace.keys(client.db, now).filter(globOf(args[1]!, work.spend)))
  },
  scan,
  dbsize: (call) => {
    payForKeys(call)
    return integer(call.server.keyspace.size(call.client.db, call.now))
  },
  randomkey: (call) => {
    const { server, client, now, context } = call
    payForKeys(call)
    const all = server.keyspace.keys(client.db, now)
    return bulkOrNil(all[context.random(4).readUInt32BE() % Math.max(1, all.length)], client.resp)
  },
  rename: (call) => {
    if (!find(call, call.args[1]!)) throw new ErrorReply('ERR no such key')
    rename(call, call.args[1]!, call.args[2]!)
    return OK
  },
  renamenx: (call) => {
    if (!find(call, call.args[1]!)) throw new ErrorReply('ERR no such key')
    if (find(call, call.args[2]!)) return integer(0)
    rename(call, call.args[1]!, call.args[2]!)
    return integer(1)
  },
  copy: (call) => {
    const [, from = '', to = '', ...words] = call.args
    let [db, replaces] = [call.client.db, false]
    for (let at = 0; at < words.length; at += 1) {
      if (upper(words[at]) === 'REPLACE') replaces = true
      else if (upper(words[at]) === 'DB' && at + 1 < words.length) db = toDatabase(words[(at += 1)])
      else throw syntaxError()
    }
    if (db === call.client.db && from === to)
      throw new ErrorReply('ERR source and destination objects are the same')
    const entry = find(call, from)
    if (!entry) return integer(0)
    if (!replaces && call.server.keyspace.find(db, to, call.now)) return integer(0)
    const copied = structuredClone(entry)
    call.server.keyspace.put(db, to, copied)
    call.server.keyspace.addEntryBytes(copied)
    return integer(1)
  },
  move: (call) => {
    const { keyspace } = call.server
    const db = toDatabase(call.args[2])
    if (db === call.client.db) throw new ErrorReply('ERR source and destination objects are the same')
    const entry = find(call, call.args[1]!)
    if (!entry || keyspace.find(db, call.args[1]!, call.now)) return integer(0)
    remove(call, call.args[1]!)
    keyspace.put(db, call.args[1]!, entry)
    keyspace.addEntryBytes(entry)
    return integer(1)
  },
  swapdb: ({ args, server }) => {
    const [a, b] = ['first', 'second'].map((which, i) => {
      if (!/^-?\d{1,9}$/.test(args[i + 1]!)) throw new ErrorReply(`ERR invalid ${which} DB index`)
      return Number(args[i + 1])
    })
    if (!isDatabase(a!) || !isDatabase(b!)) throw new ErrorReply('ERR DB index is out of range')
    server.keyspace.swap(a!, b!)
    return OK
  },
  'object|encoding': (call) => {
    const entry = look(call, call.args[2]!)
    return entry ? bulk(encodingOf(call.server.config, entry)) : nil(call.client.resp)
  },
  'object|refcount': (call) => {
    const entry = look(call, call.args[2]!)
    if (!entry) return nil(call.client.resp)
    // Redis shares the objects of small integers.
    const { config } = call.server
    const mayShare = config.get('maxmemory') === '0' || !/l[rf]u$/.test(config.get('maxmemory-policy') ?? '')
    const isShared =
      mayShare &&
      entry.type === 'string' &&
      !entry.isRaw &&
      /^\d{1,4}$/.test(entry.value) &&
      isIntegerText(entry.value)
    return integer(isShared ? 2_147_483_647 : 1)
  },
  'object|idletime': (call) => {
    const entry = look(call, call.args[2]!)
    if (!entry) return nil(call.client.resp)
    if (countsUse(call))
      throw new ErrorReply(`ERR An LFU maxmemory policy is selected, idle time not tracked. ${SWITCHING}`)
    return integer(Math.floor((call.now - (entry.usedAt ?? call.now)) / 1000))
  },
  'object|freq': (call) => {
    if (!look(call, call.args[2]!)) return nil(call.client.resp)
    if (countsUse(call)) return integer(FIRST_COUNT)
    throw new ErrorReply(
      `ERR An LFU maxmemory policy is not selected, access frequency not tracked. ${SWITCHING}`,
    )
  },
}

/** Of a key that is new. */
const FIRST_COUNT = 5
const SWITCHING =
  'Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.'
const countsUse = ({ server }: Call): boolean => /lfu$/.test(server.config.get('maxmemory-policy') ?? '')
