// Regular expressions whose time grows with the text alone (RE2). Its library is loaded with the first one.
import { RE2JS } from 're2js'

export interface LinearRegex {
  isFoundIn(text: string): boolean
  /** Instructions: the time for each character of a text grows with them. */
  readonly size: number
}

/** Throws an error that says what is wrong with the pattern. */
export function compileRegex(pattern: string): LinearRegex {
  const regex = RE2JS.compile(pattern)
  return { isFoundIn: (text) => regex.matcher(text).find(), size: regex.programSize() }
}
