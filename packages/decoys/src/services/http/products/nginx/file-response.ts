// The response with a page of the skin: conditions, compression and ranges of the request (RFC 9110, 13 and 14).
import type { RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { Asset } from '../../protocol/skin.ts'
import { contentRange, type ByteRange } from '../../protocol/byte-ranges.ts'
import type { Site } from '../../protocol/web-server.ts'
import { failedCondition } from './conditions.ts'
import { errorPage } from './error-page.ts'
import { isGzipped } from './gzip.ts'
import { rangesOf } from './ranges.ts'

/** A file: it has a date, an ETag, and ranges. */
export function serveFile(head: RequestHead, asset: Asset, site: Site): HttpResponse {
  const { type, bytes, modifiedAt } = asset
  const etag = `"${asset.etag}"`
  const lastModified = `Last-Modified: ${new Date(modifiedAt).toUTCString()}\r\n`
  const failed = failedCondition(head.headers, { etag, modifiedAt })
  if (failed === 412) return { ...errorPage(412, head, site.server), isLast: true }
  if (failed === 304) return { status: 304, fieldsBefore: lastModified, fieldsAfter: `ETag: ${etag}\r\n` }
  const file = { status: 200, type, fieldsBefore: lastModified }
  if (asset.gzipped && isGzipped(head)) {
    const fieldsAfter = `ETag: W/${etag}\r\nContent-Encoding: gzip\r\n`
    return withBody(head, { ...file, fieldsAfter }, asset.gzipped, true)
  }
  const ranges = rangesOf(head.headers, bytes.length, { etag, modifiedAt })
  if (ranges === 'unsatisfiable')
    return { ...errorPage(416, head, site.server), fieldsAfter: `Content-Range: bytes */${bytes.length}\r\n` }
  if (ranges === undefined)
    return withBody(head, { ...file, fieldsAfter: `ETag: ${etag}\r\nAccept-Ranges: bytes\r\n` }, bytes)
  const [first] = ranges
  if (ranges.length > 1 || !first) {
    const boundary = boundaryOf(site)
    const parts = { ...file, status: 206, type: `multipart/byteranges; boundary=${boundary}` }
    return withBody(head, { ...parts, fieldsAfter: `ETag: ${etag}\r\n` }, partsOf(asset, ranges, boundary))
  }
  const fieldsAfter = `ETag: ${etag}\r\n${contentRange(first, bytes.length)}`
  return withBody(head, { ...file, status: 206, fieldsAfter }, bytes.subarray(first[0], first[1] + 1))
}

/** A page that another server made: it has nothing but its type. */
export function servePage(
  head: RequestHead,
  { bytes, type, gzipped }: Asset,
  { server }: Site,
): HttpResponse {
  if (failedCondition(head.headers, {}) === 412) return errorPage(412, head, server)
  if (gzipped && isGzipped(head))
    return withBody(head, { status: 200, type, fieldsAfter: 'Content-Encoding: gzip\r\n' }, gzipped, true)
  return withBody(head, { status: 200, type }, bytes)
}

function withBody(
  { method }: RequestHead,
  response: HttpResponse,
  body: Buffer,
  isChunked = false,
): HttpResponse {
  if (method !== 'HEAD') return { ...response, body, ...(isChunked && { isChunked }) }
  return isChunked ? response : { ...response, length: body.length }
}

/** Twenty digits: nginx counts the responses with several ranges, of all its clients. */
const boundaryOf = ({ rangesCount }: Site): string => String(rangesCount()).padStart(20, '0')

const partsOf = ({ bytes, type }: Asset, ranges: readonly ByteRange[], boundary: string): Buffer =>
  Buffer.concat([
    ...ranges.flatMap(([from, to]) => [
      Buffer.from(
        `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: bytes ${from}-${to}/${bytes.length}\r\n\r\n`,
      ),
      bytes.subarray(from, to + 1),
    ]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
