// Dates of requests (RFC 9110, 5.6.7). Servers differ in how strictly they read the three forms.

export interface DateForms {
  /** Groups: day, month, year, hours, minutes, seconds. */
  readonly imf: RegExp
  readonly rfc850: RegExp
  /** Groups: month, day, hours, minutes, seconds, year. */
  readonly asctime: RegExp
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Reads a date to milliseconds UTC; not a number if it has none of the forms. */
export const dateReader =
  ({ imf, rfc850, asctime }: DateForms) =>
  (text: string): number => {
    const found = asctime.exec(text)
    const [, day, month = '', year = '', ...clock] = found
      ? ['', found[2]!, found[1]!, found[6]!, found[3]!, found[4]!, found[5]!]
      : (imf.exec(text) ?? rfc850.exec(text) ?? [])
    const monthIndex = MONTHS.indexOf(month)
    if (monthIndex < 0) return NaN
    const [hours, minutes, seconds] = clock.map(Number)
    const fullYear = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900)
    return Date.UTC(fullYear, monthIndex, Number(day), hours, minutes, seconds)
  }
