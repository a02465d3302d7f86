// The numbers that were taken, of a sequence that is taken nearly in order: the last one, and the ranges left out below it.
import { limit } from '@rookery/kernel/limit.ts'

export type Range = readonly [first: number, last: number]

export interface NumberSet {
  readonly last: number
  /** Ascending; what lies in none of them, from 1 to `last`, is taken. */
  readonly missing: readonly Range[]
}

export const NO_NUMBERS: NumberSet = { last: 0, missing: [] }

/** Beyond it the oldest range counts as taken: its touches would not be stored. */
const RANGES = limit('touch_numbers_missing', 10_000)

/** The set with `seq`; undefined when it is in the set already. */
export function withNumber({ last, missing }: NumberSet, seq: number): NumberSet | undefined {
  if (seq === last + 1) return { last: seq, missing }
  if (seq > last) return { last: seq, missing: bounded([...missing, [last + 1, seq - 1]]) }
  const at = missing.findIndex(([first, end]) => first <= seq && seq <= end)
  const range = missing[at]
  if (!range) return undefined
  const [first, end] = range
  const rest: Range[] = []
  if (first < seq) rest.push([first, seq - 1])
  if (seq < end) rest.push([seq + 1, end])
  return { last, missing: bounded(missing.toSpliced(at, 1, ...rest)) }
}

function bounded(ranges: readonly Range[]): readonly Range[] {
  if (ranges.length <= RANGES.max) return ranges
  RANGES.hit()
  return ranges.slice(1)
}
