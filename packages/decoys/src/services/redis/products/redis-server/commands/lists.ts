// Commands on lists.
import { countChanges, findOrCreate, findTyped, removeIfEmpty } from '../values/find.ts'
import { ErrorReply, isCount, resolveRange, syntaxError, toInteger, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { array, bulk, bulkOrNil, bulks, integer, nil, nilArray, OK } from '../../../protocol/resp.ts'

const list = (call: Call): readonly string[] => findTyped(call, call.args[1]!, 'list')?.value ?? []

const push =
  (end: 'left' | 'right', makes: boolean): Command =>
  (call) => {
    const known = findTyped(call, call.args[1]!, 'list')
    if (!known && !makes) return integer(0)
    const { value } = known ?? findOrCreate(call, call.args[1]!, 'list')
    if (end === 'right') for (const item of call.args.slice(2)) value.push(item)
    else value.unshift(...call.args.slice(2).reverse())
    return integer(value.length)
  }

const pop =
  (end: 'left' | 'right'): Command =>
  (call) => {
    const [name = '', key = '', howMany] = call.args
    if (call.args.length > 3)
      throw new ErrorReply(`ERR wrong number of arguments for '${name.toLowerCase()}' command`)
    if (howMany !== undefined && !isCount(howMany)) {
      throw new ErrorReply('ERR value is out of range, must be positive')
    }
    const entry = findTyped(call, key, 'list')
    if (!entry) return howMany === undefined ? nil(call.client.resp) : nilArray(call.client.resp)
    const count = Number(howMany ?? 1)
    const taken = end === 'left' ? entry.value.splice(0, count) : entry.value.splice(-count, count).reverse()
    countChanges(call, taken.length)
    removeIfEmpty(call, key, entry)
    return howMany === undefined ? bulk(taken[0]!) : bulks(taken)
  }

/** A count of 0 or more, as `long` holds it. */

function move(call: Call, from: string, to: string): string {
  const source = findTyped(call, call.args[1]!, 'list')
  if (!source) return nil(call.client.resp)
  findTyped(call, call.args[2]!, 'list')
  const item = (from === 'LEFT' ? source.value.shift() : source.value.pop())!
  const { value } = findOrCreate(call, call.args[2]!, 'list')
  if (to === 'LEFT') value.unshift(item)
  else value.push(item)
  removeIfEmpty(call, call.args[1]!, source)
  return bulk(item)
}

/** The words of LMPOP and ZMPOP from their number of keys on. */
export function readPopMany(words: readonly string[], sides: RegExp) {
  if (words[0] === '0' || !isCount(words[0] ?? ''))
    throw new ErrorReply('ERR numkeys should be greater than 0')
  const keys = words.slice(1, Number(words[0]) + 1)
  const [where, ...options] = words.slice(keys.length + 1)
  if (keys.length < Number(words[0]) || !sides.test(upper(where))) throw syntaxError()
  let count: string | undefined
  for (let at = 0; at < options.length; at += 2) {
    if (upper(options[at]) !== 'COUNT' || options[at + 1] === undefined || count !== undefined)
      throw syntaxError()
    count = options[at + 1]!
    if (count === '0' || !isCount(count)) throw new ErrorReply('ERR count should be greater than 0')
  }
  return { keys, where: upper(where), count: Number(count ?? 1) }
}

/** LMPOP from its number of keys on; undefined when every list is empty. `check` runs once the words are read. */
export function popMany(call: Call, words: readonly string[], check?: () => void): string | undefined {
  const { keys, where, count } = readPopMany(words, /^(LEFT|RIGHT)$/)
  check?.()
  const key = keys.find((one) => findTyped(call, one, 'list'))
  if (key === undefined) return undefined
  const end = where === 'LEFT' ? 'left' : 'right'
  return array([bulk(key), pop(end)({ ...call, args: ['', key, String(count)] })])
}

const lpos: Command = (call) => {
  let [rank, count, most]: [number, number | undefined, number] = [1, undefined, 0]
  for (let at = 3; at < call.args.length; at += 2) {
    const word = upper(call.args[at])
    const value = call.args[at + 1]
    if (value === undefined || !/^(RANK|COUNT|MAXLEN)$/.test(word)) throw syntaxError()
    if (word === 'RANK') {
      rank = toInteger(value)
      if (rank === 0)
        throw new ErrorReply(
          "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list",
        )
    } else {
      if (!isCount(value)) throw new ErrorReply(`ERR ${word} can't be negative`)
      const number = Number(value)
      if (word === 'COUNT') count = number
      else most = number
    }
  }
  const items = list(call)
  const places = items.map((item, at) => ({ item, at }))
  if (rank < 0) places.reverse()
  const found = places
    .slice(0, most || undefined)
    .filter(({ item }) => item === call.args[2])
    .slice(
      Math.abs(rank) - 1,
      count === undefined ? Math.abs(rank) : count ? Math.abs(rank) - 1 + count : undefined,
    )
    .map(({ at }) => integer(at))
  if (count !== undefined) return array(found)
  return found[0] ?? nil(call.client.resp)
}

export const lists: Record<string, Command> = {
  lpush: push('left', true),
  rpush: push('right', true),
  lpushx: push('left', false),
  rpushx: push('right', false),
  lpop: pop('left'),
  rpop: pop('right'),
  llen: (call) => integer(list(call).length),
  lindex: (call) => {
    const items = list(call)
    if (items.length === 0) return nil(call.client.resp)
    return bulkOrNil(items.at(toInteger(call.args[2])), call.client.resp)
  },
  lrange: (call) => {
    const [first, last] = [toInteger(call.args[2]), toInteger(call.args[3])]
    const items = list(call)
    return bulks(items.slice(...resolveRange(items.length, first, last)))
  },
  ltrim: (call) => {
    const [first, last] = [toInteger(call.args[2]), toInteger(call.args[3])]
    const entry = findTyped(call, call.args[1]!, 'list')
    countChanges(call, 0)
    if (!entry) return OK
    const kept = entry.value.slice(...resolveRange(entry.value.length, first, last))
    countChanges(call, entry.value.length - kept.length)
    entry.value.splice(0, entry.value.length, ...kept)
    removeIfEmpty(call, call.args[1]!, entry)
    return OK
  },
  lset: (call) => {
    const entry = findTyped(call, call.args[1]!, 'list')
    if (!entry) throw new ErrorReply('ERR no such key')
    const at = toInteger(call.args[2])
    const place = at < 0 ? entry.value.length + at : at
    if (place < 0 || place >= entry.value.length) throw new ErrorReply('ERR index out of range')
    entry.value[place] = call.args[3]!
    return OK
  },
  lrem: (call) => {
    const count = toInteger(call.args[2])
    const entry = findTyped(call, call.args[1]!, 'list')
    if (!entry) return integer(0)
    const items = count < 0 ? entry.value.reverse() : entry.value
    let left = count === 0 ? Infinity : Math.abs(count)
    const kept = items.filter((item) => item !== call.args[3] || left-- <= 0)
    const removed = items.length - kept.length
    entry.value.splice(0, items.length, ...(count < 0 ? kept.reverse() : kept))
    removeIfEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  linsert: (call) => {
    const where = upper(call.args[2])
    if (where !== 'BEFORE' && where !== 'AFTER') throw syntaxError()
    const entry = findTyped(call, call.args[1]!, 'list')
    if (!entry) return integer(0)
    const at = entry.value.indexOf(call.args[3]!)
    if (at < 0) return integer(-1)
    entry.value.splice(where === 'AFTER' ? at + 1 : at, 0, call.args[4]!)
    return integer(entry.value.length)
  },
  lpos,
  lmpop: (call) => popMany(call, call.args.slice(1)) ?? nilArray(call.client.resp),
  rpoplpush: (call) => move(call, 'RIGHT', 'LEFT'),
  lmove: (call) => {
    const [from, to] = [upper(call.args[3]), upper(call.args[4])]
    if (!/^(LEFT|RIGHT)$/.test(from) || !/^(LEFT|RIGHT)$/.test(to)) throw syntaxError()
    return move(call, from, to)
  },
}
