// The response with a file of the skin: conditions and ranges of the request (RFC 9110, 13 and 14).
import type { RequestHead } from '../../request.ts'
import type { HttpResponse } from '../../response.ts'
import type { Asset } from '../../skin.ts'
import { contentRange, type ByteRange } from '../byte-ranges.ts'

const MAX_RANGES = 10

/** The time for conditions, and a fresh boundary for several ranges. */
interface FileContext {
  readonly now: number
  readonly boundary: () => string
}

/** The file, parts of it, 304 or 412. `undefined`: every range begins after the end of the file. */
export function serveFile(
  { method, headers }: RequestHead,
  asset: Asset,
  { now, boundary }: FileContext,
): HttpResponse | undefined {
  const { modifiedAt } = asset
  const isGzipped =
    !!asset.gzipped && !headers.has('range') && acceptsGzip(headers.get('accept-encoding') ?? '')
  const etag = `"${asset.etag}${isGzipped ? '-gzip' : ''}"`
  const fieldsBefore = `Last-Modified: ${new Date(modifiedAt).toUTCString()}\r\nETag: ${etag}\r\nAccept-Ranges: bytes\r\n`
  const isRead = method === 'GET' || method === 'HEAD'
  const failed = failedCondition(headers, asset.etag, modifiedAt, now, method)
  if (failed === 304 && isRead) return { status: 304, fieldsBefore }
  if (failed) {
    const length = method === 'HEAD' ? asset.bytes.length : 0
    return { status: 412, fieldsBefore, length, type: asset.type }
  }
  const ranges = rangesOf(headers, asset.bytes.length, asset.etag, modifiedAt)
  if (ranges === 'unsatisfiable') return undefined
  const { body, ...response } =
    ranges === undefined
      ? wholeFile(asset, isGzipped, fieldsBefore)
      : ranges.length === 1
        ? oneRange(asset, ranges[0]!, fieldsBefore)
        : // A number in hexadecimal digits, without leading zeros.
          manyRanges(asset, ranges, fieldsBefore, boundary().replace(/^0+/, ''))
  const answer = { ...response, length: body.length }
  return method === 'HEAD' ? answer : { ...answer, body }
}

/** mod_deflate takes `gzip` and `x-gzip`, but not with a weight of 0. */
const acceptsGzip = (encodings: string): boolean =>
  encodings.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim())
    return /^(x-)?gzip$/i.test(name) && !parameters.some((each) => /^q=0(\.0*)?$/i.test(each))
  })

type FileResponse = HttpResponse & { readonly body: Buffer }

const varyOf = ({ gzipped }: Asset): string => (gzipped ? 'Vary: Accept-Encoding\r\n' : '')

/** mod_deflate writes its fields before Content-Length. */
function wholeFile(asset: Asset, isGzipped: boolean, fieldsBefore: string): FileResponse {
  const { bytes, gzipped, type } = asset
  const vary = varyOf(asset)
  return isGzipped && gzipped
    ? { status: 200, fieldsBefore: `${fieldsBefore}${vary}Content-Encoding: gzip\r\n`, type, body: gzipped }
    : { status: 200, fieldsBefore, fieldsAfter: vary, type, body: bytes }
}

function oneRange(asset: Asset, range: ByteRange, fieldsBefore: string): FileResponse {
  const { bytes, type } = asset
  const fieldsAfter = `${varyOf(asset)}${contentRange(range, bytes.length)}`
  return { status: 206, fieldsBefore, fieldsAfter, type, body: bytes.subarray(range[0], range[1] + 1) }
}

function manyRanges(
  asset: Asset,
  ranges: readonly ByteRange[],
  fieldsBefore: string,
  boundary: string,
): FileResponse {
  const { bytes, type } = asset
  const body = Buffer.concat([
    ...ranges.flatMap(([from, to]) => [
      Buffer.from(
        `\r\n--${boundary}\r\nContent-type: ${type}\r\nContent-range: bytes ${from}-${to}/${bytes.length}\r\n\r\n`,
      ),
      bytes.subarray(from, to + 1),
    ]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return {
    status: 206,
    fieldsBefore,
    fieldsAfter: varyOf(asset),
    type: `multipart/byteranges; boundary=${boundary}`,
    body,
  }
}

/** The status of the first condition that fails, in the order of RFC 9110, 13.2.2. */
function failedCondition(
  headers: RequestHead['headers'],
  etag: string,
  modifiedAt: number,
  now: number,
  method: string,
): 304 | 412 | undefined {
  const hasEtag = (name: string): boolean => {
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
    if (!hasEtag('if-match')) return 412
  } else if (time('if-unmodified-since') < modifiedAt) return 412
  if (headers.has('if-none-match')) return hasEtag('if-none-match') ? 304 : undefined
  if (method === 'POST') return undefined
  const since = time('if-modified-since')
  return since >= modifiedAt && since <= now ? 304 : undefined
}

/** `undefined`: no valid Range field, so the whole file. */
function rangesOf(
  headers: RequestHead['headers'],
  size: number,
  etag: string,
  modifiedAt: number,
): ByteRange[] | 'unsatisfiable' | undefined {
  const text = /^bytes=(.+)$/.exec(headers.get('range') ?? '')?.[1]
  if (!text) return undefined
  const condition = headers.get('if-range')
  if (condition !== undefined && condition !== `"${etag}"` && Date.parse(condition) !== modifiedAt)
    return undefined
  const found: ByteRange[] = []
  let startsAfterEnd = false
  for (const spec of text.split(',')) {
    const [, from = '', to = ''] = /^\s*(\d{0,15})-(\d{0,15})\s*$/.exec(spec) ?? []
    if (!from && !Number(to)) return undefined
    const [first, last] = from
      ? [Number(from), to ? Number(to) : size - 1]
      : [Math.max(0, size - Number(to)), size - 1]
    if (to && from && last < first) return undefined
    if (first >= size) startsAfterEnd = true
    else found.push([first, Math.min(last, size - 1)])
  }
  if (found.length > MAX_RANGES) return undefined
  return found.length > 0 ? found : startsAfterEnd ? 'unsatisfiable' : undefined
}
