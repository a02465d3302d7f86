// HRANDFIELD, SRANDMEMBER and ZRANDMEMBER: one member, or so many; a negative count may repeat them.
import { syntaxError, toInteger, upper, ErrorReply } from '../arguments.ts'
import type { Call } from '../model/call.ts'
import { array, bulk, bulkOrNil } from '../../../protocol/resp.ts'

const MAX_MEMBERS = 100_000
const DRAW_WORK = 4
const DRAWN_BYTES = 4

const OUT_OF_RANGE =
  'ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807'

/** `members` are names and encoded values; `option` shows the values. */
export function randomMembers(
  call: Call,
  option: string | undefined,
  members: () => readonly (readonly [name: string, value: string])[],
): string {
  const { args, client, context } = call
  const [, , countText, word, ...more] = args
  if (countText === undefined) {
    const all = members()
    return bulkOrNil(all[draws(context, 1)(all.length)]?.[0], client.resp)
  }
  const count = toInteger(countText)
  if (countText === '-9223372036854775808') throw new ErrorReply(OUT_OF_RANGE)
  if (more.length > 0 || (word !== undefined && (option === undefined || upper(word) !== option)))
    throw syntaxError()
  const all = members()
  const most = count >= 0 || all.length === 0 ? all.length : Math.min(-count, MAX_MEMBERS)
  call.work.spend(most * DRAW_WORK)
  const random = draws(context, most)
  const chosen =
    count >= 0
      ? shuffled(all, random).slice(0, count)
      : Array.from({ length: most }, () => all[random(all.length)]!)
  if (word === undefined) return array(chosen.map(([name]) => bulk(name)))
  return client.resp === 3
    ? array(chosen.map(([name, value]) => array([bulk(name), value])))
    : array(chosen.flatMap(([name, value]) => [bulk(name), value]))
}

/** Numbers below a bound, of so many drawn at once. */
function draws(context: Call['context'], count: number): (below: number) => number {
  const bytes = context.random(Math.max(1, count) * DRAWN_BYTES)
  let at = 0
  return (below) => bytes.readUInt32BE(DRAWN_BYTES * at++) % Math.max(1, below)
}

/** Redis gives all members in their order when it gives all. */
function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const left = [...items]
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = random(at + 1)
    const moved = left[at]!
    left[at] = left[other]!
    left[other] = moved
  }
  return left
}
