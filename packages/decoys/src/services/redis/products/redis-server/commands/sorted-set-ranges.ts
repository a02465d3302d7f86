// ZRANGE and its older kin: by rank, by score, by name, in both directions, stored or not.
import { countChanges, put, remove } from '../values/find.ts'
import { resolveRange, ErrorReply, syntaxError, toInteger, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { integer } from '../../../protocol/resp.ts'
import { membersReply, nameTest, ranked, scoreTest, type Scored } from './score-ranges.ts'

interface RangeOptions {
  readonly by: 'rank' | 'score' | 'name'
  readonly isReversed: boolean
  readonly limit: readonly [offset: number, count: number] | undefined
  readonly withScores: boolean
}

function optionsFrom(
  words: readonly string[],
  fixed: Partial<RangeOptions>,
  isStored: boolean,
): RangeOptions {
  let { by = 'rank', isReversed = false } = fixed
  let limit: RangeOptions['limit']
  let withScores = false
  for (let at = 0; at < words.length; at += 1) {
    const word = upper(words[at])
    if (word === 'WITHSCORES' && !isStored) withScores = true
    else if (word === 'LIMIT' && at + 2 < words.length) {
      limit = [toInteger(words[at + 1]), toInteger(words[at + 2])]
      at += 2
    } else if (word === 'REV' && fixed.isReversed === undefined) isReversed = true
    else if (word === 'BYSCORE' && fixed.by === undefined) by = 'score'
    else if (word === 'BYLEX' && fixed.by === undefined) by = 'name'
    else throw syntaxError()
  }
  // A count of -1 is what Redis takes for no limit.
  if (limit && limit[1] !== -1 && by === 'rank') {
    throw new ErrorReply(
      'ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX',
    )
  }
  if (withScores && by === 'name')
    throw new ErrorReply('ERR syntax error, WITHSCORES not supported in combination with BYLEX')
  return { by, isReversed, limit, withScores }
}

/** The items between two limits; a reversed range by score or name gives the higher limit first. */
function select(
  items: () => Scored[],
  [first, last]: readonly [string, string],
  { by, isReversed, limit }: RangeOptions,
): Scored[] {
  const directed = (found: Scored[]): Scored[] => (isReversed ? found.reverse() : found)
  if (by === 'rank') {
    const [from, to] = [toInteger(first), toInteger(last)]
    const all = directed(items())
    return all.slice(...resolveRange(all.length, from, to))
  }
  const [low, high] = isReversed ? [last, first] : [first, last]
  const test = by === 'score' ? scoreTest(low, high) : nameTest(low, high)
  const found = directed(items().filter(test))
  if (!limit) return found
  const [offset, count] = limit
  return offset < 0 ? [] : found.slice(offset, count < 0 ? undefined : offset + count)
}

const range =
  (fixed: Partial<RangeOptions>): Command =>
  (call) => {
    const options = optionsFrom(call.args.slice(4), fixed, false)
    const found = select(() => ranked(call), [call.args[2]!, call.args[3]!], options)
    return membersReply(call, found, options.withScores)
  }

/** `changes`: as INFO counts them, when there are items. */
export function storeItems(call: Call, key: string, items: readonly Scored[], changes = 1): string {
  const isRemoved = remove(call, key)
  countChanges(call, items.length > 0 ? changes : isRemoved ? 1 : 0)
  if (items.length > 0) {
    call.server.keyspace.addBytes(items.map(([member]) => member))
    put(call, key, { type: 'zset', value: new Map(items) })
  }
  return integer(items.length)
}

export const zsetRanges: Record<string, Command> = {
  zrange: range({}),
  zrevrange: range({ by: 'rank', isReversed: true }),
  zrangebyscore: range({ by: 'score', isReversed: false }),
  zrevrangebyscore: range({ by: 'score', isReversed: true }),
  zrangebylex: range({ by: 'name', isReversed: false }),
  zrevrangebylex: range({ by: 'name', isReversed: true }),
  zrangestore: (call) => {
    const [, to = '', from = '', first = '', last = '', ...words] = call.args
    const options = optionsFrom(words, {}, true)
    return storeItems(
      call,
      to,
      select(() => ranked(call, from), [first, last], options),
    )
  },
}
