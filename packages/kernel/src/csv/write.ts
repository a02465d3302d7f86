// Rows of a CSV file (RFC 4180) that a spreadsheet opens without running anything of them.

/** A text may come from a stranger; numbers and booleans are written as they are. */
export type CsvValue = string | number | boolean

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n]/
const NEEDS_QUOTES = /[",\r\n]/

/** One row with its line end. A text that would be a formula has an apostrophe in front, by which a spreadsheet shows it as text. */
export const csvRow = (values: readonly CsvValue[]): string => `${values.map(cellOf).join(',')}\r\n`

function cellOf(value: CsvValue): string {
  if (typeof value !== 'string') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
