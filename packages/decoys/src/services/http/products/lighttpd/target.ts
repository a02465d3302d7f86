// What a request target asks for, normalized as lighttpd does (url-normalize-required, url-path-2f-decode, dotseg-remove).

export interface Path {
  /** Without escapes, dot segments and double slashes. */
  readonly path: string
  /** Escaped where it must be. */
  readonly query: string | undefined
}

/** Bytes that no UTF-8 has, as they are and escaped. */
const NOT_UTF8 = [/[\xc0\xc1\xf5-\xff]/, /%(?:c[01]|f[5-9a-f])/i]

/** Undefined: it holds control characters (url-ctrls-reject), or bytes that are not UTF-8 (url-invalid-utf8-reject). */
export function pathOf(target: string): Path | undefined {
  const rest = target.replace(/^https?:\/\/[^/]*/i, '').replace(/#[^]*$/, '')
  if (/%(?:[01][\da-f]|7f)/i.test(rest) || NOT_UTF8.some((bytes) => bytes.test(rest))) return undefined
  const at = rest.indexOf('?')
  const [raw, query] = at < 0 ? [rest, ''] : [rest.slice(0, at), rest.slice(at + 1)]
  return { path: withoutDots(unescaped(raw)), query: query === '' ? undefined : escapedQuery(query) }
}

const unescaped = (text: string): string =>
  text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))

/** Above the root there is the root. */
function withoutDots(path: string): string {
  const kept: string[] = []
  const segments = path.split('/').slice(1)
  for (const [i, segment] of segments.entries()) {
    const isLast = i === segments.length - 1
    if (segment === '..') kept.pop()
    const isName = segment !== '' && segment !== '.' && segment !== '..'
    if (isName || isLast) kept.push(isName ? segment : '')
  }
  return `/${kept.join('/')}`
}

const escaped = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

export const escapedPath = (path: string): string =>
  path.replace(/[\x00-\x20"#%<>?[-^`{|}\x7f-\xff]/g, escaped)

/** Stay escaped: what has a meaning in a query. */
const RESERVED = '#%&+='
const MUST_BE_ESCAPED = /[\x00-\x20"%<>[-^`{|}\x7f-\xff]/

function escapedQuery(query: string): string {
  return query.replace(/%[\da-f]{2}|[^]/gi, (piece) => {
    const char = piece.length > 1 ? String.fromCharCode(parseInt(piece.slice(1), 16)) : piece
    const isEscaped = MUST_BE_ESCAPED.test(char) || (piece.length > 1 && RESERVED.includes(char))
    return isEscaped ? escaped(char) : char
  })
}
