// HTTP's three forms of a date (RFC 9110, 5.6.7), as apr_date_parse_http reads them: what stands before the first blank
// counts for nothing, and something must stand behind the time.

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Milliseconds UTC; NaN for any other text, and for the epoch, which apr uses for "no date". */
export function parseDate(text: string): number {
  const form = /^\s*[^ ]* (.*)$/s.exec(text)?.[1] ?? ''
  const [, day, month, year, time] = /^(\d\d?) (\w{3}) (\d{4}) (\d\d:\d\d:\d\d) /.exec(form) ?? []
  if (time !== undefined) return instant(year, month, day, time)
  const [, day2, month2, year2, time2] = /^(\d\d)-(\w{3})-(\d\d) (\d\d:\d\d:\d\d) /.exec(form) ?? []
  if (time2 !== undefined)
    return instant(String(Number(year2) + (Number(year2) < 70 ? 2000 : 1900)), month2, day2, time2)
  const [, month3, day3, time3, year3] = /^(\w{3}) ([ \d]\d) (\d\d:\d\d:\d\d) (\d{4})/.exec(form) ?? []
  return time3 === undefined ? NaN : instant(year3, month3, day3, time3)
}

function instant(year = '', month = '', day = '', time = ''): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  const at = MONTHS.indexOf(month)
  const isPossible =
    at >= 0 && Number(day) >= 1 && Number(day) <= 31 && hours <= 23 && minutes <= 59 && seconds <= 61
  if (!isPossible) return NaN
  return Date.UTC(Number(year), at, Number(day), hours, minutes, seconds) || NaN
}
