// The response with a file of the skin: conditions and ranges of the request (RFC 9110, 13 and 14).
import type { RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { Asset } from '../../protocol/skin.ts'
import type { Site } from '../../protocol/web-server.ts'
import { contentRange, type ByteRange } from '../../protocol/byte-ranges.ts'
import { failedCondition } from './conditions.ts'
import { rangesOf } from './ranges.ts'

/** The file, parts of it, 304 or 412. `undefined`: every range begins after the end of the file. */
export function serveFile(
  { method, headers, version }: RequestHead,
  asset: Asset,
  { now, ownBoundary }: Pick<Site, 'now' | 'ownBoundary'>,
): HttpResponse | undefined {
  const { modifiedAt, gzipped } = asset
  const isGzipped = gzipped !== undefined && acceptsGzip(headers.get('accept-encoding') ?? '')
  const etag = `"${asset.etag}${isGzipped ? '-gzip' : ''}"`
  const fieldsBefore = `Last-Modified: ${new Date(modifiedAt).toUTCString()}\r\nETag: ${etag}\r\nAccept-Ranges: bytes\r\n`
  const failed = failedCondition({ headers, method }, asset, now)
  if (failed === 304) return { status: 304, fieldsBefore }
  if (failed) {
    const length = method === 'HEAD' ? asset.bytes.length : 0
    return { status: 412, fieldsBefore, length, type: asset.type }
  }
  const bytes = isGzipped ? gzipped : asset.bytes
  const ranges = rangesOf(headers, { size: bytes.length, etag, modifiedAt })
  if (ranges === 'unsatisfiable') return undefined
  const { range = '', chunkLengths, ...answer } = contentOf(bytes, asset.type, ranges, ownBoundary)
  const vary = gzipped ? 'Vary: Accept-Encoding\r\n' : ''
  // mod_deflate writes its fields before Content-Length.
  const fields = isGzipped
    ? { fieldsBefore: `${fieldsBefore}${vary}Content-Encoding: gzip\r\n${range}` }
    : { fieldsBefore, fieldsAfter: vary + range }
  const { body, ...head } = {
    ...answer,
    ...fields,
    ...lengthOf(answer.body, chunkLengths, { version, method }),
  }
  return method === 'HEAD' ? head : { ...head, body }
}

/** Of a body in several chunks the length is not known: a client of HTTP/1.0 reads it to the close. */
const lengthOf = (
  body: Buffer,
  chunkLengths: readonly number[] | undefined,
  { version, method }: Pick<RequestHead, 'version' | 'method'>,
): Pick<HttpResponse, 'length' | 'hasLength' | 'isChunked' | 'chunkLengths'> =>
  chunkLengths
    ? { hasLength: false, ...(version !== '1.0' && method !== 'HEAD' && { isChunked: true, chunkLengths }) }
    : { length: body.length }

/** The first token `gzip` decides, unless its weight is 0; blanks part tokens, too. */
function acceptsGzip(encodings: string): boolean {
  for (const [, token = '', parameters = ''] of encodings.matchAll(/([^\s,;]+)\s*((?:;[^,;]*)*)/g)) {
    if (token.toLowerCase() === 'gzip')
      return !parameters.split(';').some((each) => /^q=0(\.0*)?$/.test(each.trim()))
  }
  return false
}

interface Content {
  readonly status: 200 | 206
  readonly type: string
  readonly body: Buffer
  /** The field that names a single range. */
  readonly range?: string
  readonly chunkLengths?: readonly number[]
}

function contentOf(
  bytes: Buffer,
  type: string,
  ranges: readonly ByteRange[] | undefined,
  boundary: () => string,
): Content {
  const [first, ...further] = ranges ?? []
  if (!first) return { status: 200, type, body: bytes }
  if (further.length > 0) return manyRanges(bytes, type, [first, ...further], boundary())
  return {
    status: 206,
    type,
    body: bytes.subarray(first[0], first[1] + 1),
    range: contentRange(first, bytes.length),
  }
}

/** Apache passes the parts on in groups: behind the 33rd, and then behind each 32. */
const GROUP = 32

function manyRanges(bytes: Buffer, type: string, ranges: readonly ByteRange[], boundary: string): Content {
  const parts = ranges.map(([from, to]) =>
    Buffer.concat([
      Buffer.from(
        `\r\n--${boundary}\r\nContent-type: ${type}\r\nContent-range: bytes ${from}-${to}/${bytes.length}\r\n\r\n`,
      ),
      bytes.subarray(from, to + 1),
    ]),
  )
  const groups: number[] = []
  let length = 0
  for (const [at, part] of parts.entries()) {
    length += part.length
    if (at === 0 || at % GROUP !== 0) continue
    groups.push(length)
    length = 0
  }
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    status: 206,
    type: `multipart/byteranges; boundary=${boundary}`,
    body: Buffer.concat([...parts, end]),
    ...(groups.length > 0 && { chunkLengths: [...groups, length + end.length] }),
  }
}
