// Ranges of sorted sets by score and by name, and how scores are written.
import { ErrorReply } from '../arguments.ts'
import { findTyped } from '../values/find.ts'
import type { Call } from '../model/call.ts'
import { formatDouble, parseDouble } from '../../../protocol/numbers.ts'
import { array, bulk, bulks, double } from '../../../protocol/resp.ts'

export type Scored = readonly [member: string, score: number]

const byScoreAndName = (a: Scored, b: Scored): number =>
  a[1] - b[1] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)

/** Of an item that is put in its place. */
const SORT_WORK = 8

export function sorted(
  { work }: Pick<Call, 'work'>,
  items: ReadonlyMap<string, number> | readonly Scored[],
): Scored[] {
  work.spend(('size' in items ? items.size : items.length) * SORT_WORK)
  return [...items].sort(byScoreAndName)
}

/** Members by score, then by name. */
export const ranked = (call: Call, key = call.args[1]!): Scored[] =>
  sorted(call, findTyped(call, key, 'zset')?.value ?? [])

export function membersReply(call: Call, items: readonly Scored[], withScores: boolean): string {
  if (!withScores) return bulks(items.map(([member]) => member))
  const { resp } = call.client
  const pairs = items.map(([member, score]) => [bulk(member), double(formatDouble(score), resp)])
  return resp === 3 ? array(pairs.map(array)) : array(pairs.flat())
}

type Test = (item: Scored) => boolean

const scoreLimit = (text: string | undefined): { value: number; isExclusive: boolean } => {
  const isExclusive = text?.[0] === '('
  const value = parseDouble((isExclusive ? text?.slice(1) : text) ?? '')
  if (Number.isNaN(value)) throw new ErrorReply('ERR min or max is not a float')
  return { value, isExclusive }
}

export function scoreTest(low: string | undefined, high: string | undefined): Test {
  const [least, most] = [scoreLimit(low), scoreLimit(high)]
  return ([, score]) =>
    (least.isExclusive ? score > least.value : score >= least.value) &&
    (most.isExclusive ? score < most.value : score <= most.value)
}

export function nameTest(low: string | undefined, high: string | undefined): Test {
  for (const text of [low, high])
    if (!/^([+-]$|[[(])/.test(text ?? '')) throw new ErrorReply('ERR min or max not valid string range item')
  const isAbove = (name: string, text: string): boolean =>
    text === '-' || (text !== '+' && (text[0] === '[' ? name >= text.slice(1) : name > text.slice(1)))
  const isBelow = (name: string, text: string): boolean =>
    text === '+' || (text !== '-' && (text[0] === '[' ? name <= text.slice(1) : name < text.slice(1)))
  return ([member]) => isAbove(member, low!) && isBelow(member, high!)
}
