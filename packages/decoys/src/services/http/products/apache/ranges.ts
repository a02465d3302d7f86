// The Range field as Apache's ap_byterange_filter reads it: ranges that touch their predecessor become one with it.
import type { RequestHead } from '../../protocol/request.ts'
import type { ByteRange } from '../../protocol/byte-ranges.ts'
import { parseDate } from './date.ts'

/** Apache's MaxRanges, MaxRangeOverlaps and MaxRangeReversals. */
const MAX_RANGES = 200
const MAX_OVERLAPS = 20
const MAX_REVERSALS = 20
/** The largest apr_off_t. */
const MAX_OFFSET = 2n ** 63n - 1n

/** What the ranges are of. */
export interface Representation {
  readonly size: number
  /** With its quotes. */
  readonly etag: string
  readonly modifiedAt: number
}

/** `undefined`: no valid Range field, so the whole file. */
export function rangesOf(
  headers: RequestHead['headers'],
  representation: Representation,
): readonly ByteRange[] | 'unsatisfiable' | undefined {
  const text = /^bytes=(.*)$/i.exec(headers.get('range') ?? '')?.[1]
  if (text === undefined || !isOfThisVersion(headers.get('if-range'), representation)) return undefined
  const merged: Merged = { ranges: [], overlaps: 0, reversals: 0 }
  let startsAfterEnd = false
  for (const spec of text.split(/,+/)) {
    // An empty one ends the list.
    if (spec === '') break
    const range = parseRange(spec, representation.size)
    if (range === undefined) return undefined
    if (range === 'after-end') startsAfterEnd = true
    else merge(merged, range)
  }
  const { ranges, overlaps, reversals } = merged
  if (ranges.length === 0) return startsAfterEnd ? 'unsatisfiable' : undefined
  // However often it is asked for, the whole file is one range.
  if (ranges.length === 1 && ranges[0]![0] === 0 && ranges[0]![1] === representation.size - 1) return ranges
  const sum = ranges.reduce((bytes, [from, to]) => bytes + to - from + 1, 0)
  const isTooMuch =
    ranges.length > MAX_RANGES ||
    overlaps > MAX_OVERLAPS ||
    reversals > MAX_REVERSALS ||
    sum > representation.size
  return isTooMuch ? undefined : ranges
}

interface Merged {
  readonly ranges: ByteRange[]
  overlaps: number
  reversals: number
}

function isOfThisVersion(condition: string | undefined, { etag, modifiedAt }: Representation): boolean {
  if (condition === undefined) return true
  return condition.startsWith('"') ? condition === etag : parseDate(condition) === modifiedAt
}

function parseRange(spec: string, size: number): ByteRange | 'after-end' | undefined {
  const [, from = '', to = ''] = /^(\d*)-(\d*)$/.exec(spec) ?? []
  if ((!from && !to) || BigInt(from) > MAX_OFFSET || BigInt(to) > MAX_OFFSET) return undefined
  if (!from && BigInt(to) < 1n) return undefined
  if (from && to && BigInt(from) > BigInt(to)) return undefined
  const [first, last] = from
    ? [Number(from), to ? Number(to) : size - 1]
    : [Math.max(0, size - Number(to)), size - 1]
  return first >= size ? 'after-end' : [first, Math.min(last, size - 1)]
}

/** Only the last range can grow: the order stays that of the client. */
function merge(merged: Merged, [from, to]: ByteRange): void {
  const { ranges } = merged
  const last = ranges.at(-1)
  if (!last || from > last[1] + 1 || to < last[0] - 1) {
    ranges.push([from, to])
    return
  }
  merged.overlaps += 1
  if (from < last[0]) merged.reversals += 1
  ranges[ranges.length - 1] = [Math.min(last[0], from), Math.max(last[1], to)]
}
