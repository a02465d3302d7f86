// Commands on sorted sets.
import {
  findOrCreate,
  findTyped,
  formatFloat,
  removeIfEmpty,
  resolveRange,
  syntaxError,
  toFloat,
  toInteger,
  upper,
  type Call,
  type Command,
} from '../call.ts'
import { array, bulk, bulks, double, integer, nil } from '../resp.ts'
import { scanReply } from './scan.ts'

type Scored = [string, number]

/** Members by score, then by name. */
const ranked = (call: Call): Scored[] =>
  [...(findTyped(call, call.args[1]!, 'zset')?.value ?? [])].sort(
    (a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0),
  )

function membersReply(call: Call, items: readonly Scored[], withScores: boolean): string {
  if (!withScores) return bulks(items.map(([member]) => member))
  const { resp } = call.client
  const pairs = items.map(([member, score]) => [bulk(member), double(formatFloat(score), resp)])
  return resp === 3 ? array(pairs.map(array)) : array(pairs.flat())
}

const zrange =
  (isReversed: boolean): Command =>
  (call) => {
    const [first, last] = [toInteger(call.args[2]), toInteger(call.args[3])]
    const extra = call.args.slice(4).map(upper)
    if (extra.some((word) => word !== 'WITHSCORES' && word !== 'REV')) throw syntaxError()
    const items = isReversed || extra.includes('REV') ? ranked(call).reverse() : ranked(call)
    return membersReply(
      call,
      items.slice(...resolveRange(items.length, first, last)),
      extra.includes('WITHSCORES'),
    )
  }

/** Members whose score lies in the range of the arguments; `(` excludes a limit. */
const withinScores = (call: Call): Scored[] => {
  const [low, high] = [call.args[2]!, call.args[3]!].map((text) => ({
    limit: toFloat(text.replace(/^\(/, '')),
    isExclusive: text[0] === '(',
  }))
  return ranked(call).filter(
    ([, score]) =>
      (low!.isExclusive ? score > low!.limit : score >= low!.limit) &&
      (high!.isExclusive ? score < high!.limit : score <= high!.limit),
  )
}

export const sortedSets: Record<string, Command> = {
  zadd: (call) => {
    let at = 2
    while (/^(NX|XX|GT|LT|CH|INCR)$/.test(upper(call.args[at]))) at += 1
    const pairs = call.args.slice(at)
    if (pairs.length === 0 || pairs.length % 2) throw syntaxError()
    const scores = pairs.filter((_, i) => i % 2 === 0).map(toFloat)
    const { value } = findOrCreate(call, call.args[1]!, 'zset')
    const before = value.size
    scores.forEach((score, i) => value.set(pairs[i * 2 + 1]!, score))
    return integer(value.size - before)
  },
  zincrby: (call) => {
    const step = toFloat(call.args[2])
    const { value } = findOrCreate(call, call.args[1]!, 'zset')
    const sum = (value.get(call.args[3]!) ?? 0) + step
    value.set(call.args[3]!, sum)
    return double(formatFloat(sum), call.client.resp)
  },
  zscore: (call) => {
    const score = findTyped(call, call.args[1]!, 'zset')?.value.get(call.args[2]!)
    return score === undefined ? nil(call.client.resp) : double(formatFloat(score), call.client.resp)
  },
  zcard: (call) => integer(ranked(call).length),
  zrem: (call) => {
    const entry = findTyped(call, call.args[1]!, 'zset')
    const removed = call.args.slice(2).filter((member) => entry?.value.delete(member)).length
    if (entry) removeIfEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  zrank: (call) => {
    const at = ranked(call).findIndex(([member]) => member === call.args[2])
    return at < 0 ? nil(call.client.resp) : integer(at)
  },
  zrange: zrange(false),
  zrevrange: zrange(true),
  zcount: (call) => integer(withinScores(call).length),
  zrangebyscore: (call) => membersReply(call, withinScores(call), upper(call.args[4]) === 'WITHSCORES'),
  zscan: (call) =>
    scanReply(
      call,
      ranked(call).map(([member, score]) => [member, formatFloat(score)]),
    ),
}
