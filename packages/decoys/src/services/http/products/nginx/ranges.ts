// Ranges of a file (RFC 9110, 14) as nginx 1.22 reads them.
import type { RequestHead } from '../../protocol/request.ts'
import type { ByteRange } from '../../protocol/byte-ranges.ts'
import { timeOf, type Validators } from './conditions.ts'

/** Undefined: the whole file. */
export function rangesOf(
  headers: RequestHead['headers'],
  size: number,
  file: Validators,
): readonly ByteRange[] | 'unsatisfiable' | undefined {
  const text = /^bytes=(.+)$/is.exec(headers.get('range') ?? '')?.[1]
  if (text === undefined || !isUnchanged(headers.get('if-range'), file)) return undefined
  const found: ByteRange[] = []
  let bytes = 0
  for (const spec of text.split(',')) {
    const range = readRange(spec, size)
    if (range === 'unsatisfiable' || range === 'whole') return range === 'whole' ? undefined : range
    if (!range) continue
    found.push(range)
    bytes += range[1] - range[0] + 1
  }
  if (found.length === 0) return 'unsatisfiable'
  // Ranges that overlap so far are not worth it.
  return bytes > size ? undefined : found
}

/** Undefined: it has no bytes. */
function readRange(spec: string, size: number): ByteRange | 'unsatisfiable' | 'whole' | undefined {
  const match = /^ *(?:(\d+) *-(?: *(\d+))?|-(\d+)) *$/.exec(spec)
  if (!match) return 'unsatisfiable'
  const [, from, to, suffix] = match
  if ([from, to, suffix].some((digits) => Number(digits ?? 0) > MOST)) return 'unsatisfiable'
  const start = suffix === undefined ? Number(from) : Math.max(0, size - Number(suffix))
  const end = to === undefined ? size - 1 : Math.min(Number(to), size - 1)
  if (start <= end) return [start, end]
  return start === 0 ? 'whole' : undefined
}

/** 2^63 - 1, the largest offset. */
const MOST = 9_223_372_036_854_775_807n

function isUnchanged(condition: string | undefined, { etag, modifiedAt }: Validators): boolean {
  if (condition === undefined) return true
  if (condition.length >= 2 && condition.endsWith('"')) return condition === etag
  return modifiedAt !== undefined && timeOf(condition) === Math.floor(modifiedAt / 1_000) * 1_000
}
