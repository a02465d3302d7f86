// Commands on lists and sorted sets.
import {
  dropEmpty,
  ensure,
  findOf,
  float,
  int,
  range,
  Refusal,
  spellFloat,
  syntaxError,
  upper,
  type Call,
  type Command,
} from '../call.ts'
import { array, bulk, bulks, double, integer, maybe, nil, nilArray, OK } from '../resp.ts'
import { scanned } from './collections.ts'

const list = (call: Call): readonly string[] => findOf(call, call.args[1]!, 'list')?.value ?? []

const pushed =
  (end: 'left' | 'right', makes: boolean): Command =>
  (call) => {
    const known = findOf(call, call.args[1]!, 'list')
    if (!known && !makes) return integer(0)
    const { value } = known ?? ensure(call, call.args[1]!, 'list')
    if (end === 'right') for (const item of call.args.slice(2)) value.push(item)
    else value.unshift(...call.args.slice(2).reverse())
    return integer(value.length)
  }

const popped =
  (end: 'left' | 'right'): Command =>
  (call) => {
    const [, key = '', howMany] = call.args
    if (howMany !== undefined && !/^\d{1,9}$/.test(howMany)) {
      throw new Refusal('ERR value is out of range, must be positive')
    }
    const entry = findOf(call, key, 'list')
    if (!entry) return howMany === undefined ? nil(call.client.resp) : nilArray(call.client.resp)
    const count = Number(howMany ?? 1)
    const taken = end === 'left' ? entry.value.splice(0, count) : entry.value.splice(-count, count).reverse()
    dropEmpty(call, key, entry)
    return howMany === undefined ? bulk(taken[0]!) : bulks(taken)
  }

function move(call: Call, from: string, to: string): string {
  const source = findOf(call, call.args[1]!, 'list')
  findOf(call, call.args[2]!, 'list')
  if (!source) return nil(call.client.resp)
  const item = (from === 'LEFT' ? source.value.shift() : source.value.pop())!
  const { value } = ensure(call, call.args[2]!, 'list')
  if (to === 'LEFT') value.unshift(item)
  else value.push(item)
  dropEmpty(call, call.args[1]!, source)
  return bulk(item)
}

export const lists: Record<string, Command> = {
  lpush: pushed('left', true),
  rpush: pushed('right', true),
  lpushx: pushed('left', false),
  rpushx: pushed('right', false),
  lpop: popped('left'),
  rpop: popped('right'),
  llen: (call) => integer(list(call).length),
  lindex: (call) => maybe(list(call).at(int(call.args[2])), call.client.resp),
  lrange: (call) => {
    const [first, last] = [int(call.args[2]), int(call.args[3])]
    const items = list(call)
    return bulks(items.slice(...range(items.length, first, last)))
  },
  ltrim: (call) => {
    const [first, last] = [int(call.args[2]), int(call.args[3])]
    const entry = findOf(call, call.args[1]!, 'list')
    if (!entry) return OK
    const kept = entry.value.slice(...range(entry.value.length, first, last))
    entry.value.splice(0, entry.value.length, ...kept)
    dropEmpty(call, call.args[1]!, entry)
    return OK
  },
  lset: (call) => {
    const entry = findOf(call, call.args[1]!, 'list')
    if (!entry) throw new Refusal('ERR no such key')
    const at = int(call.args[2])
    const place = at < 0 ? entry.value.length + at : at
    if (place < 0 || place >= entry.value.length) throw new Refusal('ERR index out of range')
    entry.value[place] = call.args[3]!
    return OK
  },
  lrem: (call) => {
    const count = int(call.args[2])
    const entry = findOf(call, call.args[1]!, 'list')
    if (!entry) return integer(0)
    const items = count < 0 ? entry.value.reverse() : entry.value
    let left = count === 0 ? Infinity : Math.abs(count)
    const kept = items.filter((item) => item !== call.args[3] || left-- <= 0)
    const removed = items.length - kept.length
    entry.value.splice(0, items.length, ...(count < 0 ? kept.reverse() : kept))
    dropEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  linsert: (call) => {
    const where = upper(call.args[2])
    if (where !== 'BEFORE' && where !== 'AFTER') throw syntaxError()
    const entry = findOf(call, call.args[1]!, 'list')
    if (!entry) return integer(0)
    const at = entry.value.indexOf(call.args[3]!)
    if (at < 0) return integer(-1)
    entry.value.splice(where === 'AFTER' ? at + 1 : at, 0, call.args[4]!)
    return integer(entry.value.length)
  },
  lpos: (call) => {
    const at = list(call).indexOf(call.args[2]!)
    return at < 0 ? nil(call.client.resp) : integer(at)
  },
  rpoplpush: (call) => move(call, 'RIGHT', 'LEFT'),
  lmove: (call) => {
    const [from, to] = [upper(call.args[3]), upper(call.args[4])]
    if (!/^(LEFT|RIGHT)$/.test(from) || !/^(LEFT|RIGHT)$/.test(to)) throw syntaxError()
    return move(call, from, to)
  },
}

type Scored = [string, number]

const ranked = (call: Call): Scored[] =>
  [...(findOf(call, call.args[1]!, 'zset')?.value ?? [])].sort(
    (a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0),
  )

function spell(call: Call, items: readonly Scored[], withScores: boolean): string {
  if (!withScores) return bulks(items.map(([member]) => member))
  const { resp } = call.client
  const pairs = items.map(([member, score]) => [bulk(member), double(spellFloat(score), resp)])
  return resp === 3 ? array(pairs.map(array)) : array(pairs.flat())
}

const zrange =
  (isReversed: boolean): Command =>
  (call) => {
    const [first, last] = [int(call.args[2]), int(call.args[3])]
    const extra = call.args.slice(4).map(upper)
    if (extra.some((word) => word !== 'WITHSCORES' && word !== 'REV')) throw syntaxError()
    const items = isReversed || extra.includes('REV') ? ranked(call).reverse() : ranked(call)
    return spell(call, items.slice(...range(items.length, first, last)), extra.includes('WITHSCORES'))
  }

const within = (call: Call): Scored[] => {
  const [low, high] = [call.args[2]!, call.args[3]!].map((text) => ({
    n: float(text.replace(/^\(/, '')),
    open: text[0] === '(',
  }))
  return ranked(call).filter(
    ([, score]) =>
      (low!.open ? score > low!.n : score >= low!.n) && (high!.open ? score < high!.n : score <= high!.n),
  )
}

export const zsets: Record<string, Command> = {
  zadd: (call) => {
    let at = 2
    while (/^(NX|XX|GT|LT|CH|INCR)$/.test(upper(call.args[at]))) at += 1
    const pairs = call.args.slice(at)
    if (pairs.length === 0 || pairs.length % 2) throw syntaxError()
    const scores = pairs.filter((_, i) => i % 2 === 0).map(float)
    const { value } = ensure(call, call.args[1]!, 'zset')
    const before = value.size
    scores.forEach((score, i) => value.set(pairs[i * 2 + 1]!, score))
    return integer(value.size - before)
  },
  zincrby: (call) => {
    const step = float(call.args[2])
    const { value } = ensure(call, call.args[1]!, 'zset')
    const sum = (value.get(call.args[3]!) ?? 0) + step
    value.set(call.args[3]!, sum)
    return double(spellFloat(sum), call.client.resp)
  },
  zscore: (call) => {
    const score = findOf(call, call.args[1]!, 'zset')?.value.get(call.args[2]!)
    return score === undefined ? nil(call.client.resp) : double(spellFloat(score), call.client.resp)
  },
  zcard: (call) => integer(ranked(call).length),
  zrem: (call) => {
    const entry = findOf(call, call.args[1]!, 'zset')
    const removed = call.args.slice(2).filter((member) => entry?.value.delete(member)).length
    if (entry) dropEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  zrank: (call) => {
    const at = ranked(call).findIndex(([member]) => member === call.args[2])
    return at < 0 ? nil(call.client.resp) : integer(at)
  },
  zrange: zrange(false),
  zrevrange: zrange(true),
  zcount: (call) => integer(within(call).length),
  zrangebyscore: (call) => spell(call, within(call), upper(call.args[4]) === 'WITHSCORES'),
  zscan: (call) =>
    scanned(
      call,
      ranked(call).map(([member, score]) => [member, spellFloat(score)]),
    ),
}
