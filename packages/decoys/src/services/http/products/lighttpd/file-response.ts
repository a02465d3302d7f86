// The response with a page of the skin: conditions and ranges of the request (RFC 9110, 13 and 14).
import type { RequestHead } from '../../protocol/request.ts'
import type { HttpResponse } from '../../protocol/response.ts'
import type { Asset } from '../../protocol/skin.ts'
import { contentRange, partsOf } from '../../protocol/byte-ranges.ts'
import { failedCondition } from './conditions.ts'
import { rangesOf } from './ranges.ts'
import { errorPage } from './response.ts'

export function serveFile(head: RequestHead, { bytes, type, etag, modifiedAt }: Asset): HttpResponse {
  const { method, version, headers } = head
  const tag = `"${etag}"`
  const lastModified = new Date(modifiedAt).toUTCString()
  const file = {
    type,
    fieldsBefore: `ETag: ${tag}\r\nLast-Modified: ${lastModified}\r\n`,
    isVersion10: version === '1.0',
  }
  const failed = failedCondition(head, tag, modifiedAt)
  if (failed === 412) return errorPage(412, head)
  if (failed === 304) return { ...file, status: 304 }
  const hasRanges = version === '1.1' && (method === 'GET' || method === 'HEAD')
  const fieldsAfter = hasRanges ? 'Accept-Ranges: bytes\r\n' : ''
  const whole = { ...file, status: 200, fieldsAfter }
  if (method === 'HEAD') return { ...whole, length: bytes.length }
  const range = headers.get('range')
  const condition = headers.get('if-range') ?? tag
  const ranges =
    hasRanges && range !== undefined && (condition === tag || condition === lastModified)
      ? rangesOf(range, bytes.length)
      : undefined
  if (ranges === undefined) return { ...whole, body: bytes }
  const [first, second] = ranges
  if (!first) return { ...errorPage(416, head), hasNoExtraFields: true }
  if (second)
    return {
      ...whole,
      status: 206,
      type: `multipart/byteranges; boundary=${BOUNDARY}`,
      body: partsOf(bytes, type, ranges, BOUNDARY),
    }
  return {
    ...whole,
    status: 206,
    fieldsAfter: `${fieldsAfter}${contentRange(first, bytes.length)}`,
    body: bytes.subarray(first[0], first[1] + 1),
  }
}

/** Always the same. */
const BOUNDARY = 'fkj49sn38dcn3'
