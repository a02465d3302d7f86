// Commands on sets.
import { countChanges, findOrCreate, findTyped, put, removeIfEmpty } from '../values/find.ts'
import { ErrorReply, isCount, syntaxError } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { array, bulk, bulkOrNil, integer, set } from '../../../protocol/resp.ts'
import { randomMembers } from './random-members.ts'
import { scanReply } from './scan.ts'
import { cardinalityArguments } from './sorted-set-combinations.ts'

/** Of an integer that is put in its place. */
const SORT_WORK = 16

const members = (call: Call, key = call.args[1]!): Set<string> =>
  findTyped(call, key, 'set')?.value ?? new Set()

/** Redis keeps sets of integers in their order. */
function ordered({ work }: Call, found: Iterable<string>): string[] {
  const all = [...found]
  const isOrdered = all.length > 1 && all.every((member) => /^(0|-?[1-9]\d{0,17})$/.test(member))
  if (!isOrdered) return all
  work.spend(all.length * SORT_WORK)
  const numbers = new BigInt64Array(all.map(BigInt)).sort()
  return Array.from(numbers, String)
}

type Combination = 'inter' | 'union' | 'diff'

const combine = (call: Call, keys: readonly string[], how: Combination): string[] => {
  const [first = new Set<string>(), ...rest] = keys.map((key) => members(call, key))
  if (how !== 'union') call.work.spend(first.size * rest.length)
  if (how === 'inter') return [...first].filter((member) => rest.every((other) => other.has(member)))
  if (how === 'diff') return [...first].filter((member) => !rest.some((other) => other.has(member)))
  return [...new Set([...first, ...rest.flatMap((other) => [...other])])]
}

/** SINTER, SUNION and SDIFF. */
const combineSets =
  (how: Combination): Command =>
  (call) =>
    set(ordered(call, combine(call, call.args.slice(1), how)).map(bulk), call.client.resp)

/** The same with the result stored in the first key. */
const storeCombined =
  (how: Combination): Command =>
  (call) => {
    const found = combine(call, call.args.slice(2), how)
    const isRemoved = call.server.keyspace.remove(call.client.db, call.args[1]!)
    countChanges(call, found.length > 0 || isRemoved ? 1 : 0)
    call.server.keyspace.addBytes(found)
    if (found.length > 0) put(call, call.args[1]!, { type: 'set', value: new Set(found) })
    return integer(found.length)
  }

export const sets: Record<string, Command> = {
  sintercard: (call) => {
    const { keys, limit } = cardinalityArguments(call)
    return integer(Math.min(limit, combine(call, keys, 'inter').length))
  },
  sadd: (call) => {
    const { value } = findOrCreate(call, call.args[1]!, 'set')
    const before = value.size
    for (const member of call.args.slice(2)) value.add(member)
    return integer(value.size - before)
  },
  srem: (call) => {
    const entry = findTyped(call, call.args[1]!, 'set')
    const removed = call.args.slice(2).filter((member) => entry?.value.delete(member)).length
    if (entry) removeIfEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  scard: (call) => integer(members(call).size),
  smembers: (call) => set(ordered(call, members(call)).map(bulk), call.client.resp),
  sismember: (call) => integer(members(call).has(call.args[2]!) ? 1 : 0),
  smismember: (call) => {
    const known = members(call)
    return array(call.args.slice(2).map((member) => integer(known.has(member) ? 1 : 0)))
  },
  smove: (call) => {
    const [, from = '', to = '', member = ''] = call.args
    const source = findTyped(call, from, 'set')
    if (!source) return integer(0)
    const target = findTyped(call, to, 'set')
    if (source === target) {
      countChanges(call, 0)
      return integer(source.value.has(member) ? 1 : 0)
    }
    if (!source.value.delete(member)) return integer(0)
    removeIfEmpty(call, from, source)
    const { value } = findOrCreate(call, to, 'set')
    countChanges(call, value.has(member) ? 1 : 2)
    value.add(member)
    return integer(1)
  },
  spop: (call) => {
    call.server.isReading = call.args[2] !== undefined && call.args[2] !== '0'
    if (call.args.length > 3) throw syntaxError()
    const count = call.args[2] ?? '1'
    if (!isCount(count)) throw new ErrorReply('ERR value is out of range, must be positive')
    const entry = findTyped(call, call.args[1]!, 'set')
    const popped = (entry?.value ?? new Set()).values().take(Number(count)).toArray()
    countChanges(call, popped.length)
    for (const member of popped) entry!.value.delete(member)
    if (entry) removeIfEmpty(call, call.args[1]!, entry)
    if (call.args[2] !== undefined) return set(popped.map(bulk), call.client.resp)
    return bulkOrNil(popped[0], call.client.resp)
  },
  srandmember: (call) =>
    randomMembers(call, undefined, () => [...members(call)].map((member) => [member, ''])),
  sscan: (call) =>
    scanReply(
      call,
      () => findTyped(call, call.args[1]!, 'set') && ordered(call, members(call)).map((member) => [member]),
    ),
  sinter: combineSets('inter'),
  sunion: combineSets('union'),
  sdiff: combineSets('diff'),
  sinterstore: storeCombined('inter'),
  sunionstore: storeCombined('union'),
  sdiffstore: storeCombined('diff'),
}
