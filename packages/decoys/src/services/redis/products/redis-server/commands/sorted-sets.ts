// Commands on sorted sets: members, scores and ranks.
import { countChanges, findOrCreate, findTyped, removeIfEmpty } from '../values/find.ts'
import { ErrorReply, syntaxError, toFloat, toInteger, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { array, bulk, double, integer, nil, nilArray } from '../../../protocol/resp.ts'
import { formatDouble } from '../../../protocol/numbers.ts'
import { readPopMany } from './lists.ts'
import { randomMembers } from './random-members.ts'
import { scanReply } from './scan.ts'
import { membersReply, nameTest, ranked, scoreTest, type Scored } from './score-ranges.ts'
import { zsetCombinations } from './sorted-set-combinations.ts'
import { zsetRanges } from './sorted-set-ranges.ts'

const zadd: Command = (call) => {
  let at = 2
  while (/^(NX|XX|GT|LT|CH|INCR)$/.test(upper(call.args[at]))) at += 1
  const options = new Set(call.args.slice(2, at).map(upper))
  const pairs = call.args.slice(at)
  if (pairs.length === 0 || pairs.length % 2) throw syntaxError()
  const has = (name: string): boolean => options.has(name)
  if (has('NX') && has('XX'))
    throw new ErrorReply('ERR XX and NX options at the same time are not compatible')
  if ((has('GT') && has('LT')) || (has('NX') && (has('GT') || has('LT'))))
    throw new ErrorReply('ERR GT, LT, and/or NX options at the same time are not compatible')
  if (has('INCR') && pairs.length > 2)
    throw new ErrorReply('ERR INCR option supports a single increment-element pair')
  const scores = pairs.filter((_, i) => i % 2 === 0).map(toFloat)
  countChanges(call, 0)
  if (has('XX') && !findTyped(call, call.args[1]!, 'zset'))
    return has('INCR') ? nil(call.client.resp) : integer(0)
  const { value } = findOrCreate(call, call.args[1]!, 'zset')
  let [added, changed] = [0, 0]
  let last: number | undefined
  scores.forEach((given, i) => {
    const member = pairs[i * 2 + 1]!
    const old = value.get(member)
    last = undefined
    if (old === undefined ? has('XX') : has('NX')) return
    const score = has('INCR') && old !== undefined ? old + given : given
    if (Number.isNaN(score)) throw new ErrorReply('ERR resulting score is not a number (NaN)')
    if (old !== undefined && ((has('GT') && score <= old) || (has('LT') && score >= old))) return
    last = score
    value.set(member, score)
    if (old === undefined) added += 1
    else if (old !== score) changed += 1
  })
  countChanges(call, added + changed)
  removeIfEmpty(call, call.args[1]!, { type: 'zset', value })
  if (has('INCR'))
    return last === undefined ? nil(call.client.resp) : double(formatDouble(last), call.client.resp)
  return integer(has('CH') ? added + changed : added)
}

const rank =
  (isReversed: boolean): Command =>
  (call) => {
    const items = isReversed ? ranked(call).reverse() : ranked(call)
    const at = items.findIndex(([member]) => member === call.args[2])
    return at < 0 ? nil(call.client.resp) : integer(at)
  }

/** Removes the items, and answers how many they were. */
function removeItems(call: Call, key: string, items: readonly Scored[]): number {
  const entry = findTyped(call, key, 'zset')
  for (const [member] of items) entry?.value.delete(member)
  if (entry) removeIfEmpty(call, key, entry)
  return items.length
}

const countOf = (text: string | undefined): number => {
  if (!/^(\d{1,18}|[1-9]\d{18})$/.test(text ?? ''))
    throw new ErrorReply('ERR value is out of range, must be positive')
  return Number(text)
}

const pop =
  (end: 'min' | 'max'): Command =>
  (call) => {
    if (call.args.length > 3) throw syntaxError()
    const count = call.args[2] === undefined ? 1 : countOf(call.args[2])
    const items = end === 'min' ? ranked(call) : ranked(call).reverse()
    const taken = items.slice(0, count)
    countChanges(call, removeItems(call, call.args[1]!, taken))
    const isSingle = call.args[2] === undefined && call.client.resp === 3
    if (isSingle)
      return array(taken.flatMap(([member, score]) => [bulk(member), double(formatDouble(score), 3)]))
    return membersReply(call, taken, true)
  }

/** ZMPOP from its number of keys on. */
export function popMany(call: Call, words: readonly string[], check?: () => void): string | undefined {
  const { keys, where, count } = readPopMany(words, /^(MIN|MAX)$/)
  check?.()
  for (const key of keys) {
    const items = where === 'MIN' ? ranked(call, key) : ranked(call, key).reverse()
    if (items.length === 0) continue
    const taken = items.slice(0, count)
    countChanges(call, removeItems(call, key, taken))
    const { resp } = call.client
    return array([
      bulk(key),
      array(taken.map(([member, score]) => array([bulk(member), double(formatDouble(score), resp)]))),
    ])
  }
  return undefined
}

const removeRange =
  (select: (call: Call) => (item: Scored, at: number, size: number) => boolean): Command =>
  (call) => {
    const test = select(call)
    const items = ranked(call)
    return integer(
      removeItems(
        call,
        call.args[1]!,
        items.filter((item, at) => test(item, at, items.length)),
      ),
    )
  }

export const sortedSets: Record<string, Command> = {
  ...zsetRanges,
  ...zsetCombinations,
  zadd,
  zincrby: (call) => zadd({ ...call, args: ['zadd', call.args[1]!, 'INCR', ...call.args.slice(2)] }),
  zscore: (call) => {
    const score = findTyped(call, call.args[1]!, 'zset')?.value.get(call.args[2]!)
    return score === undefined ? nil(call.client.resp) : double(formatDouble(score), call.client.resp)
  },
  zmscore: (call) => {
    const value = findTyped(call, call.args[1]!, 'zset')?.value
    const { resp } = call.client
    return array(
      call.args.slice(2).map((member) => {
        const score = value?.get(member)
        return score === undefined ? nil(resp) : double(formatDouble(score), resp)
      }),
    )
  },
  zcard: (call) => integer(findTyped(call, call.args[1]!, 'zset')?.value.size ?? 0),
  zrem: (call) => {
    const entry = findTyped(call, call.args[1]!, 'zset')
    const removed = call.args.slice(2).filter((member) => entry?.value.delete(member)).length
    if (entry) removeIfEmpty(call, call.args[1]!, entry)
    return integer(removed)
  },
  zrank: rank(false),
  zrevrank: rank(true),
  zcount: (call) => {
    const test = scoreTest(call.args[2], call.args[3])
    return integer(ranked(call).filter(test).length)
  },
  zlexcount: (call) => {
    const test = nameTest(call.args[2], call.args[3])
    return integer(ranked(call).filter(test).length)
  },
  zremrangebyscore: removeRange(({ args }) => scoreTest(args[2], args[3])),
  zremrangebylex: removeRange(({ args }) => nameTest(args[2], args[3])),
  zremrangebyrank: removeRange(({ args }) => {
    const [first, last] = [toInteger(args[2]), toInteger(args[3])]
    return (_, at, size) => at >= (first < 0 ? size + first : first) && at <= (last < 0 ? size + last : last)
  }),
  zpopmin: pop('min'),
  zpopmax: pop('max'),
  zmpop: (call) => popMany(call, call.args.slice(1)) ?? nilArray(call.client.resp),
  zscan: (call) =>
    scanReply(
      call,
      () =>
        findTyped(call, call.args[1]!, 'zset') &&
        ranked(call).map(([member, score]) => [member, formatDouble(score)]),
    ),
  zrandmember: (call) =>
    randomMembers(call, 'WITHSCORES', () =>
      ranked(call).map(([member, score]) => [member, double(formatDouble(score), call.client.resp)]),
    ),
}
