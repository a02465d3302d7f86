// The headers that a user wants on every alert: checked, so that a receiver can neither be confused nor split.
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/
/** RFC 9110, 5.5: visible ASCII, spaces and tabs inside. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/** Ours, or the connection's. */
const RESERVED =
  /^(host|content-length|content-type|content-encoding|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|webhook-.*)$/
const MAX_HEADERS = 32
const MAX_VALUE_LENGTH = 4096

/** The headers, each in the spelling it was given; a wrong one is a `bad-input` that names it. */
export function checkedHeaders(given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const names = new Set<string>()
  const entries = Object.entries(given)
  if (entries.length > MAX_HEADERS) throw wrong(`must be at most ${MAX_HEADERS} headers`)
  for (const [name, value] of entries) {
    const key = name.toLowerCase()
    const shown = JSON.stringify(name.slice(0, 60))
    if (!TOKEN.test(name)) throw wrong(`${shown} is not the name of a header`)
    if (RESERVED.test(key)) throw wrong(`${shown} is set by Rookery itself`)
    if (names.has(key)) throw wrong(`${shown} is there twice`)
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || text.length > MAX_VALUE_LENGTH || !VALUE.test(text)) {
      throw wrong(`the value of ${shown} must be visible ASCII text of 1 to ${MAX_VALUE_LENGTH} characters`)
    }
    names.add(key)
    headers[name] = text
  }
  return headers
}

const wrong = (reason: string): Fault => invalidParameter('headers', reason)
