// Commands on hashes.
import { ErrorReply, isInt64, toFloat, toInt64 } from '../arguments.ts'
import { findOrCreate, findTyped, removeIfEmpty } from '../values/find.ts'
import type { Call, Command } from '../model/call.ts'
import { array, bulk, bulkOrNil, bulks, integer, map, OK } from '../../../protocol/resp.ts'
import { formatSum } from '../../../protocol/numbers.ts'
import { randomMembers } from './random-members.ts'
import { scanReply } from './scan.ts'

const hash = (call: Call): Map<string, string> => findTyped(call, call.args[1]!, 'hash')?.value ?? new Map()

function writeFields(call: Call): number {
  const { args } = call
  if (args.length % 2)
    throw new ErrorReply(`ERR wrong number of arguments for '${args[0]!.toLowerCase()}' command`)
  const { value } = findOrCreate(call, args[1]!, 'hash')
  const before = value.size
  for (let at = 2; at < args.length; at += 2) value.set(args[at]!, args[at + 1]!)
  return value.size - before
}

/** Of a text that is read as a number. */
const CHARACTERS_A_UNIT = 8

const isFloat = (text: string): boolean => {
  try {
    toFloat(text)
    return true
  } catch {
    return false
  }
}

export const hashes: Record<string, Command> = {
  hset: (call) => integer(writeFields(call)),
  hmset: (call) => {
    writeFields(call)
    return OK
  },
  hsetnx: (call) => {
    const { value } = findOrCreate(call, call.args[1]!, 'hash')
    if (value.has(call.args[2]!)) return integer(0)
    value.set(call.args[2]!, call.args[3]!)
    return integer(1)
  },
  hget: (call) => bulkOrNil(hash(call).get(call.args[2]!), call.client.resp),
  hmget: (call) => {
    const fields = hash(call)
    return array(call.args.slice(2).map((field) => bulkOrNil(fields.get(field), call.client.resp)))
  },
  hgetall: (call) => map([...hash(call)].flat().map(bulk), call.client.resp),
  hkeys: (call) => bulks([...hash(call).keys()]),
  hvals: (call) => bulks([...hash(call).values()]),
  hlen: (call) => integer(hash(call).size),
  hexists: (call) => integer(hash(call).has(call.args[2]!) ? 1 : 0),
  hstrlen: (call) => integer(hash(call).get(call.args[2]!)?.length ?? 0),
  hdel: (call) => {
    const entry = findTyped(call, call.args[1]!, 'hash')
    const removed = call.args.slice(2).filter((field) => entry?.value.delete(field)).length
    if (entry) removeIfEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  hincrby: (call) => {
    const step = toInt64(call.args[3])
    const old = hash(call).get(call.args[2]!) ?? '0'
    if (!/^(0|-?[1-9]\d{0,18})$/.test(old)) throw new ErrorReply('ERR hash value is not an integer')
    const sum = BigInt(old) + step
    if (!isInt64(sum)) throw new ErrorReply('ERR increment or decrement would overflow')
    findOrCreate(call, call.args[1]!, 'hash').value.set(call.args[2]!, String(sum))
    return integer(sum)
  },
  hincrbyfloat: (call) => {
    const step = toFloat(call.args[3])
    if (!Number.isFinite(step)) throw new ErrorReply('ERR value is NaN or Infinity')
    const old = hash(call).get(call.args[2]!) ?? '0'
    call.work.spend(old.length / CHARACTERS_A_UNIT)
    if (!isFloat(old)) throw new ErrorReply('ERR hash value is not a float')
    const sum = formatSum(old, call.args[3]!)
    if (sum === undefined) throw new ErrorReply('ERR increment would produce NaN or Infinity')
    findOrCreate(call, call.args[1]!, 'hash').value.set(call.args[2]!, sum)
    return bulk(sum)
  },
  hscan: (call) => scanReply(call, () => findTyped(call, call.args[1]!, 'hash')?.value),
  hrandfield: (call) =>
    randomMembers(call, 'WITHVALUES', () => [...hash(call)].map(([field, value]) => [field, bulk(value)])),
}
