// The header Forwarded (RFC 7239), read from the right: each proxy adds an element at the end, and what stands left of the one
// that a trusted proxy wrote is the client's own text, which may be anything.

export interface Hop {
  /** What the element says after `for=`, such as `192.0.2.7:4711`; undefined where it says nothing, or is not well formed. */
  readonly node: string | undefined
  /** The elements before it; undefined where it is the first. */
  readonly before: string | undefined
}

const QUOTE = '"'
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
/** Behind its quotes: any character, or a backslash and any (RFC 9110, 5.6.4). */
const QUOTED = /^"(?:[^"\\]|\\.)*"$/

/** The last element of the list. */
export function lastForwarded(list: string): Hop {
  const start = lastOutside(list, ',') + 1
  return {
    node: nodeOf(list.slice(start)),
    before: start === 0 ? undefined : list.slice(0, start - 1),
  }
}

/** Where the last separator stands that is not in a quoted string; -1 where there is none. */
function lastOutside(text: string, separator: string): number {
  let isQuoted = false
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === QUOTE && !isEscaped(text, at)) isQuoted = !isQuoted
    else if (text[at] === separator && !isQuoted) return at
  }
  return -1
}

/** An odd number of backslashes stands in front of it. */
function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}

/** The value of `for`, which an element has once at the most. */
function nodeOf(element: string): string | undefined {
  let node: string | undefined
  for (let rest: string | undefined = element; rest !== undefined;) {
    const start: number = lastOutside(rest, ';') + 1
    const pair = rest.slice(start).trim()
    rest = start === 0 ? undefined : rest.slice(0, start - 1)
    // An element may end with a semicolon.
    if (pair === '') continue
    const equals = pair.indexOf('=')
    if (equals < 0) return undefined
    const [name, value] = [pair.slice(0, equals).toLowerCase(), pair.slice(equals + 1)]
    if (!TOKEN.test(name)) return undefined
    if (name !== 'for') continue
    if (node !== undefined) return undefined
    node = unquoted(value)
    if (node === undefined) return undefined
  }
  return node
}

/** Undefined for what is neither quoted nor free of quotes; some proxies write an IPv6 address without them. */
function unquoted(value: string): string | undefined {
  if (QUOTED.test(value)) return value.slice(1, -1).replace(/\\(.)/g, '$1')
  return value.includes(QUOTE) ? undefined : value
}
