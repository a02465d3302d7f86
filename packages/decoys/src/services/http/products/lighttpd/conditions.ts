// Conditions of a request (RFC 9110, 13) as lighttpd 1.4.69 tests them: of If-Match and If-Unmodified-Since it knows nothing.
import type { RequestHead } from '../../protocol/request.ts'
import { dateReader } from '../../protocol/http-date.ts'

export function failedCondition(
  { method, headers }: Pick<RequestHead, 'method' | 'headers'>,
  etag: string,
  modifiedAt: number,
): 304 | 412 | undefined {
  const isRead = method === 'GET' || method === 'HEAD' || method === 'QUERY'
  const noneMatch = headers.get('if-none-match')
  if (noneMatch !== undefined) return hasTag(noneMatch, etag) ? (isRead ? 304 : 412) : undefined
  const since = headers.get('if-modified-since')
  if (since === undefined || !isRead) return undefined
  return timeOf(since) >= Math.floor(modifiedAt / 1_000) * 1_000 ? 304 : undefined
}

/** A tag of the list, weak or not, or a `*`. What is no tag is skipped to the next comma. */
const hasTag = (list: string, etag: string): boolean =>
  list.split(',').some((one) => {
    const tag = one.trim()
    return tag.startsWith('*') || tag.replace(/^W\//, '') === etag
  })

const DAY = '(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)'
const LONG_DAY = '(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day'
const CLOCK = '(\\d\\d):(\\d\\d):(\\d\\d)'

const timeOf = dateReader({
  imf: new RegExp(`^${DAY}, (\\d\\d) (\\w{3}) (\\d{4}) ${CLOCK} GMT$`),
  rfc850: new RegExp(`^${LONG_DAY}, (\\d\\d)-(\\w{3})-(\\d\\d) ${CLOCK} GMT$`),
  asctime: new RegExp(`^${DAY} (\\w{3}) ([ \\d]\\d) ${CLOCK} (\\d{4})$`),
})
