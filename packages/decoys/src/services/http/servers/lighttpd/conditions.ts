// Conditions of a request (RFC 9110, 13) as lighttpd 1.4.69 tests them: of If-Match and If-Unmodified-Since it knows nothing.
import type { RequestHead } from '../../request.ts'

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

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DAY = '(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)'
const LONG_DAY = '(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day'
const CLOCK = '(\\d\\d):(\\d\\d):(\\d\\d)'
const IMF = new RegExp(`^${DAY}, (\\d\\d) (\\w{3}) (\\d{4}) ${CLOCK} GMT$`)
const RFC_850 = new RegExp(`^${LONG_DAY}, (\\d\\d)-(\\w{3})-(\\d\\d) ${CLOCK} GMT$`)
const ASCTIME = new RegExp(`^${DAY} (\\w{3}) ([ \\d]\\d) ${CLOCK} (\\d{4})$`)

/** Milliseconds UTC; not a number if it is no date (RFC 9110, 5.6.7). */
function timeOf(text: string): number {
  const asctime = ASCTIME.exec(text)
  const [, day, month = '', year = '', ...clock] = asctime
    ? ['', asctime[2]!, asctime[1]!, asctime[6]!, asctime[3]!, asctime[4]!, asctime[5]!]
    : (IMF.exec(text) ?? RFC_850.exec(text) ?? [])
  const monthIndex = MONTHS.indexOf(month)
  if (monthIndex < 0) return NaN
  const [hours, minutes, seconds] = clock.map(Number)
  const fullYear = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900)
  return Date.UTC(fullYear, monthIndex, Number(day), hours, minutes, seconds)
}
