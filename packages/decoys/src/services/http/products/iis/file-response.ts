// The response with a file: conditions and ranges of the request (RFC 9110, 13 and 14).
import type { RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { Asset } from '../../protocol/skin.ts'
import { contentRange, partsOf } from '../../protocol/byte-ranges.ts'
import { failedCondition, timeOf } from './conditions.ts'
import { errorPage } from './error-page.ts'
import { rangesOf } from './ranges.ts'

export function serveFile(head: RequestHead, { bytes, type, etag, modifiedAt }: Asset): HttpResponse {
  const { method, headers } = head
  const tag = `"${etag}"`
  const failed = failedCondition(headers, tag, modifiedAt)
  if (failed === 412) return errorPage(412, head)
  if (failed === 304) return { status: 304, fieldsBefore: `Accept-Ranges: bytes\r\nETag: ${tag}\r\n` }
  const fields = `Last-Modified: ${new Date(modifiedAt).toUTCString()}\r\nAccept-Ranges: bytes\r\nETag: ${tag}\r\n`
  const sent = (status: number, shown: string, body: Buffer, rangeField = ''): HttpResponse => ({
    status,
    type: shown,
    fieldsBefore: rangeField + fields,
    ...(method === 'HEAD' ? { length: body.length } : { body }),
  })
  const range = headers.get('range')
  const isUnchanged = isCurrent(headers.get('if-range'), tag, modifiedAt)
  const ranges = range !== undefined && isUnchanged ? rangesOf(range, bytes.length) : undefined
  if (ranges === undefined) return sent(200, type, bytes)
  const [first, second] = ranges
  if (!first) return { ...errorPage(416, head), fieldsBefore: `Content-Range: bytes */${bytes.length}\r\n` }
  if (second)
    return sent(
      206,
      `multipart/byteranges; boundary=${BOUNDARY}`,
      // IIS ends the last part with an empty line.
      Buffer.concat([partsOf(bytes, type, ranges, BOUNDARY), Buffer.from('\r\n')]),
    )
  return sent(206, type, bytes.subarray(first[0], first[1] + 1), contentRange(first, bytes.length))
}

const isCurrent = (condition: string | undefined, tag: string, modifiedAt: number): boolean =>
  condition === undefined || condition === tag || timeOf(condition) === Math.floor(modifiedAt / 1_000) * 1_000

/** Always the same. */
const BOUNDARY = '<q1w2e3r4t5y6u7i8o9p0zaxscdvfbgnhmjklkl>'
