// A file of the skin, under the conditions that the request makes (RFC 9110, 13 and 14).
import type { Answer } from './answer.ts'
import type { Head } from './codec.ts'
import type { Asset } from './skin.ts'

type Range = readonly [from: number, to: number]

const MOST_RANGES = 10

/** The file, a part of it, or that it has not changed. `undefined`: a range that lies behind its end. */
export function serveFile(
  { method, headers }: Head,
  asset: Asset,
  modifiedAt: number,
  { now, boundary }: { now: number; boundary: () => string },
): Answer | undefined {
  const isGzipped =
    !!asset.gzipped && !headers.has('range') && /\bgzip\b/i.test(headers.get('accept-encoding') ?? '')
  const etag = `"${asset.etag}${isGzipped ? '-gzip' : ''}"`
  const first = `Last-Modified: ${new Date(modifiedAt).toUTCString()}\r\nETag: ${etag}\r\nAccept-Ranges: bytes\r\n`
  const verdict = judge(headers, asset.etag, modifiedAt, now)
  if (verdict === 304) return { status: 304, first }
  if (verdict === 412) return { status: 412, first, length: 0, type: asset.type }
  const vary = asset.gzipped ? 'Vary: Accept-Encoding\r\n' : ''
  const isHead = method === 'HEAD'
  const whole = isGzipped ? asset.gzipped : asset.bytes
  const size = asset.bytes.length
  const ranges = rangesOf(headers, size, asset.etag, modifiedAt)
  if (ranges === 'beyond') return undefined
  if (!ranges) {
    const more = isGzipped ? `${vary}Content-Encoding: gzip\r\n` : vary
    return {
      status: 200,
      first: isGzipped ? first + more : first,
      more: isGzipped ? '' : more,
      length: whole.length,
      type: asset.type,
      ...(!isHead && { body: whole }),
    }
  }
  if (ranges.length === 1) {
    const [from, to] = ranges[0]!
    const part = asset.bytes.subarray(from, to + 1)
    const more = `${vary}Content-Range: bytes ${from}-${to}/${size}\r\n`
    return { status: 206, first, more, length: part.length, type: asset.type, ...(!isHead && { body: part }) }
  }
  const mark = boundary()
  const body = Buffer.concat([
    ...ranges.flatMap(([from, to]) => [
      Buffer.from(
        `\r\n--${mark}\r\nContent-type: ${asset.type}\r\nContent-range: bytes ${from}-${to}/${size}\r\n\r\n`,
      ),
      asset.bytes.subarray(from, to + 1),
    ]),
    Buffer.from(`\r\n--${mark}--\r\n`),
  ])
  const type = `multipart/byteranges; boundary=${mark}`
  return { status: 206, first, more: vary, length: body.length, type, ...(!isHead && { body }) }
}

function judge(
  headers: Head['headers'],
  etag: string,
  modifiedAt: number,
  now: number,
): 304 | 412 | undefined {
  const lists = (name: string): boolean => {
    const value = headers.get(name)!
    return (
      value === '*' ||
      value
        .replace(/-gzip"/g, '"')
        .split(',')
        .some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`)
    )
  }
  const time = (name: string): number => Date.parse(headers.get(name) ?? '')
  if (headers.has('if-match')) {
    if (!lists('if-match')) return 412
  } else if (time('if-unmodified-since') < modifiedAt) return 412
  if (headers.has('if-none-match')) return lists('if-none-match') ? 304 : undefined
  const since = time('if-modified-since')
  return since >= modifiedAt && since <= now ? 304 : undefined
}

function rangesOf(
  headers: Head['headers'],
  size: number,
  etag: string,
  modifiedAt: number,
): Range[] | 'beyond' | undefined {
  const text = /^bytes=(.+)$/.exec(headers.get('range') ?? '')?.[1]
  if (!text) return undefined
  const condition = headers.get('if-range')
  if (condition !== undefined && condition !== `"${etag}"` && Date.parse(condition) !== modifiedAt)
    return undefined
  const found: Range[] = []
  let isBeyond = false
  for (const spec of text.split(',')) {
    const [, from = '', to = ''] = /^\s*(\d{0,15})-(\d{0,15})\s*$/.exec(spec) ?? []
    if (!from && !Number(to)) return undefined
    const [first, last] = from
      ? [Number(from), to ? Number(to) : size - 1]
      : [Math.max(0, size - Number(to)), size - 1]
    if (to && from && last < first) return undefined
    if (first >= size) isBeyond = true
    else found.push([first, Math.min(last, size - 1)])
  }
  if (found.length > MOST_RANGES) return undefined
  return found.length > 0 ? found : isBeyond ? 'beyond' : undefined
}
