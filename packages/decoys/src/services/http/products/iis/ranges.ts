// Ranges of a file (RFC 9110, 14.1.2).
import type { ByteRange } from '../../protocol/byte-ranges.ts'

/** Of more ranges than these the whole file is sent. */
const MAX_RANGES = 5

/** Empty: none can be satisfied. Undefined: the field is ignored, and the whole file is sent. */
export function rangesOf(text: string, size: number): readonly ByteRange[] | undefined {
  const specs = /^bytes[ \t]*=(.*)$/is.exec(text)?.[1]?.split(',')
  if (specs === undefined || specs.length > MAX_RANGES) return undefined
  const ranges: ByteRange[] = []
  for (const spec of specs) {
    const [, from = '', to = ''] = /^[ \t]*(?:(\d+)[ \t]*)?-[ \t]*(?:(\d+)[ \t]*)?$/.exec(spec) ?? []
    if (from === '' && to === '') return undefined
    if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
    const range: ByteRange =
      from === ''
        ? [Math.max(0, size - Number(to)), size - 1]
        : [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)]
    if (range[0] < size) ranges.push(range)
  }
  return ranges
}
