// Ranges of a file (RFC 9110, 14) as lighttpd 1.4.69 reads them.
import type { ByteRange } from '../../protocol/byte-ranges.ts'

/** Of more than these the rest is not read. */
const MAX_RANGES = 10
/** Ranges with fewer bytes between them become one: the head of a part is longer. */
const GAP_BYTES = 80

/** Empty: none can be satisfied. Undefined: it names no bytes. */
export function rangesOf(text: string, size: number): readonly ByteRange[] | undefined {
  const specs = /^bytes=(.*)$/is.exec(text)?.[1]
  if (specs === undefined) return undefined
  const found: ByteRange[] = []
  for (const spec of specs.split(',')) {
    const range = readRange(spec, size)
    if (range) found.push(range)
    if (found.length === MAX_RANGES) break
  }
  return found.length > 1 ? joinNear(found) : found
}

function readRange(spec: string, size: number): ByteRange | undefined {
  const [, from, to, suffix] = /^[ \t]*(?:\+?(\d+)[ \t]*-(?:[ \t]*(\d+))?|-(\d+))[ \t]*$/.exec(spec) ?? []
  if (suffix !== undefined)
    return Number(suffix) > 0 && Number(suffix) < MOST
      ? [Math.max(0, size - Number(suffix)), size - 1]
      : undefined
  if (from === undefined || Number(from) >= size) return undefined
  if (to === undefined) return [Number(from), size - 1]
  return Number(to) < Number(from) || Number(to) >= MOST
    ? undefined
    : [Number(from), Math.min(Number(to), size - 1)]
}

/** 2^63 - 1, the largest offset. */
const MOST = 9_223_372_036_854_775_807

/** Each range takes in later ones that overlap with it, or nearly so; the order stays. */
function joinNear(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const joined: ByteRange[] = [...ranges]
  for (let at = 0; at < joined.length; at += 1) {
    for (let other = at + 1; other < joined.length; other += 1) {
      const [[from, to], [otherFrom, otherTo]] = [joined[at]!, joined[other]!]
      if (otherFrom > to + GAP_BYTES || otherTo < from - GAP_BYTES) continue
      joined[at] = [Math.min(from, otherFrom), Math.max(to, otherTo)]
      joined.splice(other, 1)
      other = at
    }
  }
  return joined
}
