// Commands on hashes and sets.
import {
  big,
  dropEmpty,
  ensure,
  findOf,
  float,
  int,
  isInt64,
  Refusal,
  spellFloat,
  type Call,
  type Command,
} from '../call.ts'
import { globMatches } from '../glob.ts'
import { array, bulk, bulks, integer, map, maybe, nil, OK, set } from '../resp.ts'

const hash = (call: Call): Map<string, string> => findOf(call, call.args[1]!, 'hash')?.value ?? new Map()
const members = (call: Call, key = call.args[1]!): Set<string> => findOf(call, key, 'set')?.value ?? new Set()

function writeFields(call: Call): number {
  const { args } = call
  if (args.length % 2)
    throw new Refusal(`ERR wrong number of arguments for '${args[0]!.toLowerCase()}' command`)
  const { value } = ensure(call, args[1]!, 'hash')
  const before = value.size
  for (let at = 2; at < args.length; at += 2) value.set(args[at]!, args[at + 1]!)
  return value.size - before
}

/** Cursor and options of HSCAN, SSCAN and ZSCAN; everything comes at once. */
export function scanned(call: Call, pairs: Iterable<readonly string[]>): string {
  if (!/^\d{1,20}$/.test(call.args[2]!)) throw new Refusal('ERR invalid cursor')
  const at = call.args.findIndex((word, i) => i > 2 && word.toUpperCase() === 'MATCH')
  const pattern = at > 0 ? (call.args[at + 1] ?? '*') : '*'
  const kept = [...pairs].filter(([name = '']) => globMatches(pattern, name)).flat()
  return array([bulk('0'), bulks(kept)])
}

export const hashes: Record<string, Command> = {
  hset: (call) => integer(writeFields(call)),
  hmset: (call) => {
    writeFields(call)
    return OK
  },
  hsetnx: (call) => {
    const { value } = ensure(call, call.args[1]!, 'hash')
    if (value.has(call.args[2]!)) return integer(0)
    value.set(call.args[2]!, call.args[3]!)
    return integer(1)
  },
  hget: (call) => maybe(hash(call).get(call.args[2]!), call.client.resp),
  hmget: (call) => {
    const fields = hash(call)
    return array(call.args.slice(2).map((field) => maybe(fields.get(field), call.client.resp)))
  },
  hgetall: (call) => map([...hash(call)].flat().map(bulk), call.client.resp),
  hkeys: (call) => bulks([...hash(call).keys()]),
  hvals: (call) => bulks([...hash(call).values()]),
  hlen: (call) => integer(hash(call).size),
  hexists: (call) => integer(hash(call).has(call.args[2]!) ? 1 : 0),
  hstrlen: (call) => integer(hash(call).get(call.args[2]!)?.length ?? 0),
  hdel: (call) => {
    const entry = findOf(call, call.args[1]!, 'hash')
    const removed = call.args.slice(2).filter((field) => entry?.value.delete(field)).length
    if (entry) dropEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  hincrby: (call) => {
    const step = big(call.args[3])
    const old = hash(call).get(call.args[2]!) ?? '0'
    if (!/^(0|-?[1-9]\d{0,18})$/.test(old)) throw new Refusal('ERR hash value is not an integer')
    const sum = BigInt(old) + step
    if (!isInt64(sum)) throw new Refusal('ERR increment or decrement would overflow')
    ensure(call, call.args[1]!, 'hash').value.set(call.args[2]!, String(sum))
    return integer(sum)
  },
  hincrbyfloat: (call) => {
    const sum = spellFloat(float(hash(call).get(call.args[2]!) ?? '0') + float(call.args[3]))
    ensure(call, call.args[1]!, 'hash').value.set(call.args[2]!, sum)
    return bulk(sum)
  },
  hscan: (call) => scanned(call, hash(call)),
  hrandfield: (call) => {
    const [field] = hash(call).keys()
    return call.args.length > 2 ? bulks(field === undefined ? [] : [field]) : maybe(field, call.client.resp)
  },
}

const combine = (call: Call, keys: readonly string[], how: string): string[] => {
  const [first = new Set<string>(), ...rest] = keys.map((key) => members(call, key))
  if (how === 'inter') return [...first].filter((member) => rest.every((other) => other.has(member)))
  if (how === 'diff') return [...first].filter((member) => !rest.some((other) => other.has(member)))
  return [...new Set([...first, ...rest.flatMap((other) => [...other])])]
}

const combined =
  (how: string): Command =>
  (call) =>
    set(combine(call, call.args.slice(1), how).map(bulk), call.client.resp)

const stored =
  (how: string): Command =>
  (call) => {
    const found = combine(call, call.args.slice(2), how)
    call.server.keyspace.remove(call.client.db, call.args[1]!)
    call.server.keyspace.charge(found)
    if (found.length > 0) for (const member of found) ensure(call, call.args[1]!, 'set').value.add(member)
    return integer(found.length)
  }

export const sets: Record<string, Command> = {
  sadd: (call) => {
    const { value } = ensure(call, call.args[1]!, 'set')
    const before = value.size
    for (const member of call.args.slice(2)) value.add(member)
    return integer(value.size - before)
  },
  srem: (call) => {
    const entry = findOf(call, call.args[1]!, 'set')
    const removed = call.args.slice(2).filter((member) => entry?.value.delete(member)).length
    if (entry) dropEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  scard: (call) => integer(members(call).size),
  smembers: (call) => set([...members(call)].map(bulk), call.client.resp),
  sismember: (call) => integer(members(call).has(call.args[2]!) ? 1 : 0),
  smismember: (call) => {
    const known = members(call)
    return array(call.args.slice(2).map((member) => integer(known.has(member) ? 1 : 0)))
  },
  smove: (call) => {
    const [, from = '', to = '', member = ''] = call.args
    const source = findOf(call, from, 'set')
    findOf(call, to, 'set')
    if (!source?.value.delete(member)) return integer(0)
    dropEmpty(call, from, source)
    ensure(call, to, 'set').value.add(member)
    return integer(1)
  },
  spop: (call) => {
    const entry = findOf(call, call.args[1]!, 'set')
    const count = call.args[2] === undefined ? 1 : int(call.args[2])
    const popped = [...(entry?.value ?? [])].slice(0, Math.max(0, count))
    for (const member of popped) entry!.value.delete(member)
    if (entry) dropEmpty(call, call.args[1]!, entry)
    if (call.args[2] !== undefined) return set(popped.map(bulk), call.client.resp)
    return maybe(popped[0], call.client.resp)
  },
  srandmember: (call) => {
    const [member] = members(call)
    if (call.args[2] !== undefined) return bulks([...members(call)].slice(0, Math.abs(int(call.args[2]))))
    return member === undefined ? nil(call.client.resp) : bulk(member)
  },
  sscan: (call) =>
    scanned(
      call,
      [...members(call)].map((member) => [member]),
    ),
  sinter: combined('inter'),
  sunion: combined('union'),
  sdiff: combined('diff'),
  sinterstore: stored('inter'),
  sunionstore: stored('union'),
  sdiffstore: stored('diff'),
}
