// Unions, intersections and differences of sorted sets. Plain sets take part with the score 1.
import { ErrorReply, syntaxError, toFloat, toInteger, upper, wrongType } from '../arguments.ts'
import { find } from '../values/find.ts'
import type { Call, Command } from '../model/call.ts'
import { integer } from '../../../protocol/resp.ts'
import { membersReply, sorted, type Scored } from './score-ranges.ts'
import { storeItems } from './sorted-set-ranges.ts'

/** To look at a member and its score. */
const MEMBER_WORK = 4

type Combination = 'union' | 'inter' | 'diff'

interface Inputs {
  readonly sources: readonly ReadonlyMap<string, number>[]
  readonly weights: readonly number[]
  readonly aggregate: string
  readonly withScores: boolean
}

function source(call: Call, key: string): ReadonlyMap<string, number> {
  const entry = find(call, key)
  if (!entry) return new Map()
  if (entry.type === 'set') return new Map([...entry.value].map((member) => [member, 1]))
  if (entry.type !== 'zset') throw wrongType()
  return entry.value
}

/** `words` begins with the number of keys. */
function readSources(call: Call, words: readonly string[]) {
  const count = toInteger(words[0])
  if (count < 1) {
    throw new ErrorReply(`ERR at least 1 input key is needed for '${call.args[0]!.toLowerCase()}' command`)
  }
  if (count > words.length - 1) throw syntaxError()
  return { sources: words.slice(1, count + 1).map((key) => source(call, key)), rest: words.slice(count + 1) }
}

function inputs(call: Call, words: readonly string[], how: Combination, isStored: boolean): Inputs {
  const { sources, rest } = readSources(call, words)
  const count = sources.length
  let weights = sources.map(() => 1)
  let aggregate = 'SUM'
  let withScores = false
  for (let at = 0; at < rest.length; at += 1) {
    const word = upper(rest[at])
    if (word === 'WEIGHTS' && how !== 'diff' && at + count < rest.length) {
      weights = rest.slice(at + 1, at + count + 1).map((text) => {
        try {
          return toFloat(text)
        } catch {
          throw new ErrorReply('ERR weight value is not a float')
        }
      })
      at += count
    } else if (word === 'AGGREGATE' && how !== 'diff' && /^(SUM|MIN|MAX)$/.test(upper(rest[at + 1]))) {
      aggregate = upper(rest[(at += 1)])
    } else if (word === 'WITHSCORES' && !isStored) withScores = true
    else throw syntaxError()
  }
  return { sources, weights, aggregate, withScores }
}

function combine(call: Call, { sources, weights, aggregate }: Inputs, how: Combination): Scored[] {
  const [first, ...others] = sources
  for (const { size } of sources)
    call.work.spend(size * (how === 'inter' ? MEMBER_WORK + sources.length : MEMBER_WORK))
  if (how === 'diff') call.work.spend(first!.size * others.length)
  if (how === 'diff')
    return sorted(
      call,
      [...first!].filter(([member]) => !others.some((other) => other.has(member))),
    )
  const found = new Map<string, number>()
  sources.forEach((members, i) => {
    for (const [member, plain] of members) {
      if (how === 'inter' && !sources.every((other) => other.has(member))) continue
      const score = plain * weights[i]! || 0
      const old = found.get(member)
      if (old === undefined) found.set(member, score)
      else if (aggregate === 'SUM') found.set(member, old + score || 0)
      else found.set(member, aggregate === 'MIN' ? Math.min(old, score) : Math.max(old, score))
    }
  })
  return sorted(call, found)
}

const combined =
  (how: Combination): Command =>
  (call) => {
    const given = inputs(call, call.args.slice(1), how, false)
    return membersReply(call, combine(call, given, how), given.withScores)
  }

const stored =
  (how: Combination): Command =>
  (call) =>
    storeItems(call, call.args[1]!, combine(call, inputs(call, call.args.slice(2), how, true), how))

/** The keys of SINTERCARD, and its LIMIT. */
export function cardinalityArguments({ args }: Call): { keys: string[]; limit: number } {
  if (!/^[1-9]\d{0,18}$/.test(args[1] ?? '') || BigInt(args[1]!) >= 2n ** 63n)
    throw new ErrorReply('ERR numkeys should be greater than 0')
  const count = Number(args[1])
  if (count > args.length - 2) throw new ErrorReply("ERR Number of keys can't be greater than number of args")
  return { keys: args.slice(2, count + 2), limit: limitOf(args.slice(count + 2)) }
}

function limitOf(words: readonly string[]): number {
  let limit = 0
  for (let at = 0; at < words.length; at += 2) {
    const value = words[at + 1]
    if (upper(words[at]) !== 'LIMIT' || value === undefined) throw syntaxError()
    if (!/^(0|[1-9]\d{0,17})$/.test(value)) throw new ErrorReply("ERR LIMIT can't be negative")
    limit = Number(value)
  }
  return limit || Infinity
}

export const zsetCombinations: Record<string, Command> = {
  zunion: combined('union'),
  zinter: combined('inter'),
  zdiff: combined('diff'),
  zunionstore: stored('union'),
  zinterstore: stored('inter'),
  zdiffstore: stored('diff'),
  zintercard: (call) => {
    const { sources, rest } = readSources(call, call.args.slice(1))
    const limit = limitOf(rest)
    const common = [...sources[0]!.keys()].filter((member) => sources.every((other) => other.has(member)))
    return integer(Math.min(limit, common.length))
  },
}
