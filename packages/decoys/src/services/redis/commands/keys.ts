// Commands on keys of any type.
import {
  find,
  toInteger,
  put,
  ErrorReply,
  remove,
  syntaxError,
  upper,
  type Call,
  type Command,
} from '../call.ts'
import { globMatches } from '../glob.ts'
import { isDatabase, type Entry } from '../keyspace.ts'
import { array, bulk, bulks, integer, bulkOrNil, nil, OK, status } from '../resp.ts'

const del: Command = (call) =>
  integer(call.args.slice(1).filter((key) => find(call, key) && remove(call, key)).length)
const exists: Command = (call) => integer(call.args.slice(1).filter((key) => find(call, key)).length)

/** The time argument counts units of `unitMs`; `isAbsolute`: since the epoch. */
const expire =
  (unitMs: number, isAbsolute: boolean): Command =>
  (call) => {
    const [name = '', key = '', time, ...flags] = call.args
    const options = flags.map(upper)
    const unknown = flags.find((_, i) => !/^(NX|XX|GT|LT)$/.test(options[i]!))
    if (unknown !== undefined) throw new ErrorReply(`ERR Unsupported option ${unknown}`)
    const at = (isAbsolute ? 0 : call.now) + toInteger(time) * unitMs
    if (Math.abs(at) > 9.2e18)
      throw new ErrorReply(`ERR invalid expire time in '${name.toLowerCase()}' command`)
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
    const entry = find(call, call.args[1]!)
    if (!entry) return integer(-2)
    return integer(entry.expiresAt === undefined ? -1 : Math.round((entry.expiresAt - call.now) / unitMs))
  }

function rename(call: Call, from: string, to: string): void {
  const entry = find(call, from)!
  if (from === to) return
  remove(call, from)
  put(call, to, entry)
  call.server.keyspace.addEntryBytes(entry)
}

function toDatabase(text: string | undefined): number {
  const db = toInteger(text)
  if (!isDatabase(db)) throw new ErrorReply('ERR DB index is out of range')
  return db
}

function encoding(entry: Entry): string {
  switch (entry.type) {
    case 'string':
      if (/^(0|-?[1-9]\d{0,18})$/.test(entry.value)) return 'int'
      return entry.value.length <= 44 ? 'embstr' : 'raw'
    case 'set':
      return [...entry.value].every((member) => /^(0|-?[1-9]\d{0,18})$/.test(member)) ? 'intset' : 'hashtable'
    case 'stream':
      return 'stream'
    case 'list':
      return entry.value.length <= 128 ? 'listpack' : 'quicklist'
    default:
      return entry.value.size <= 128 ? 'listpack' : entry.type === 'hash' ? 'hashtable' : 'skiplist'
  }
}

const scan: Command = (call) => {
  if (!/^\d{1,20}$/.test(call.args[1]!)) throw new ErrorReply('ERR invalid cursor')
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
  const keys = server.keyspace
    .keys(client.db, now)
    .filter((key) => globMatches(pattern, key) && (!type || find(call, key)?.type === type))
  return array([bulk('0'), bulks(keys)])
}

export const keys: Record<string, Command> = {
  del,
  unlink: del,
  exists,
  touch: exists,
  type: (call) => status(find(call, call.args[1]!)?.type ?? 'none'),
  expire: expire(1000, false),
  pexpire: expire(1, false),
  expireat: expire(1000, true),
  pexpireat: expire(1, true),
  ttl: timeLeft(1000),
  pttl: timeLeft(1),
  persist: (call) => {
    const entry = find(call, call.args[1]!)
    if (entry?.expiresAt === undefined) return integer(0)
    entry.expiresAt = undefined
    return integer(1)
  },
  keys: (call) => {
    const { server, client, now, args } = call
    return bulks(server.keyspace.keys(client.db, now).filter((key) => globMatches(args[1]!, key)))
  },
  scan,
  dbsize: ({ server, client, now }) => integer(server.keyspace.keys(client.db, now).length),
  randomkey: ({ server, client, now, context }) => {
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
    const [, from = '', to = '', ...rest] = call.args
    const entry = find(call, from)
    const words = rest.map(upper)
    const db = words.includes('DB') ? toDatabase(rest[words.indexOf('DB') + 1]) : call.client.db
    if (!entry) return integer(0)
    if (!words.includes('REPLACE') && call.server.keyspace.find(db, to, call.now)) return integer(0)
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
    const entry = find(call, call.args[2]!)
    return entry ? bulk(encoding(entry)) : nil(call.client.resp)
  },
  'object|refcount': (call) => (find(call, call.args[2]!) ? integer(1) : nil(call.client.resp)),
  'object|idletime': (call) => (find(call, call.args[2]!) ? integer(0) : nil(call.client.resp)),
  'object|freq': (call) => {
    if (!find(call, call.args[2]!)) return nil(call.client.resp)
    throw new ErrorReply(
      'ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.',
    )
  },
}
