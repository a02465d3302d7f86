// HyperLogLogs: counted exactly, which for the few elements of an intruder is what the estimate gives.
import { ErrorReply, find, put, wrongType, type Call, type Command } from '../call.ts'
import type { Entry } from '../keyspace.ts'
import { integer, OK } from '../resp.ts'

type Text = Extract<Entry, { type: 'string' }>

function findCounted(call: Call, key: string): Text | undefined {
  const entry = find(call, key)
  if (!entry) return undefined
  if (entry.type !== 'string') throw wrongType()
  if (!entry.counted) throw new ErrorReply('WRONGTYPE Key is not a valid HyperLogLog string value.')
  return entry
}

/** Its bytes begin as those of an empty, sparse one. */
function create(call: Call, key: string): Set<string> {
  const counted = new Set<string>()
  put(call, key, { type: 'string', value: `HYLL\x01${'\0'.repeat(11)}\x7f\xff`, counted })
  return counted
}

const union = (call: Call, keys: readonly string[]): Set<string> =>
  new Set(keys.flatMap((key) => [...(findCounted(call, key)?.counted ?? [])]))

export const hyperloglogs: Record<string, Command> = {
  pfadd: (call) => {
    const [, key = '', ...elements] = call.args
    const known = findCounted(call, key)?.counted
    const counted = known ?? create(call, key)
    const before = counted.size
    for (const element of elements) counted.add(element)
    return integer(!known || counted.size > before ? 1 : 0)
  },
  pfcount: (call) => integer(union(call, call.args.slice(1)).size),
  pfmerge: (call) => {
    const [, to = ''] = call.args
    const all = union(call, call.args.slice(1))
    const counted = findCounted(call, to)?.counted ?? create(call, to)
    call.server.keyspace.addBytes([...all])
    for (const element of all) counted.add(element)
    return OK
  },
}
