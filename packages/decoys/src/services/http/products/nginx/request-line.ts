// The request line, read as far as it goes: `incomplete` as long as it may still become one.
import type { BrokenRequest, RequestHead } from '../../protocol/request.ts'

export interface RequestLine extends Pick<RequestHead, 'method' | 'target' | 'version'> {
  readonly line: string
  /** Bytes, with the line end. */
  readonly length: number
}

/** `text` begins at the method. */
export function readRequestLine(text: string): RequestLine | BrokenRequest | 'incomplete' {
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const isAtEnd = (): boolean => at === text.length
  const line = (): string => text.slice(0, 4_096).replace(/[\r\n][^]*$/, '')
  const bad = (status = 400): BrokenRequest => ({ status, line: line() })

  const method = take(/[A-Z_-]*/y)
  if (isAtEnd()) return 'incomplete'
  if (method === '' || !take(/ +/y)) return { ...bad(), isLineBroken: true }
  if (isAtEnd()) return 'incomplete'
  const targetAt = at
  const prefix = take(/[a-z][a-z\d+.-]*(?::(?:\/(?:\/(?:\[[^\]\s]*\]?|[a-z\d.-]*)(?::\d*)?)?)?)?/iy)
  if (isAtEnd()) return 'incomplete'
  const isAbsolute = /:\/\/./.test(prefix)
  if (prefix ? !isAbsolute || !/[/? ]/.test(text[at]!) : text[at] !== '/') return bad()
  take(/[^\x00-\x20\x7f]*/y)
  const target = text.slice(targetAt, at)
  if (isAtEnd()) return 'incomplete'
  const hasBlank = take(/ +/y) !== ''
  if (isAtEnd()) return 'incomplete'
  const version = hasBlank ? readVersion(take(/[^\r\n]*/y), isAtEnd()) : ''
  if (version === 'incomplete') return version
  if (typeof version === 'number') return bad(version)
  const end = take(/\r?\n?/y)
  if (isAtEnd() && !end.endsWith('\n')) return 'incomplete'
  if (!end.endsWith('\n')) return bad()
  if (version === '' && method !== 'GET') return { ...bad(), isBare: true }
  return { method, target, version: version || '0.9', line: line(), length: at }
}

const VERSION = /^HTTP\/1\.(\d{1,3}) *$/
/** What a version may begin with; the first digit must not be 0. */
const VERSION_START = /^(?:H|HT|HTT|HTTP|HTTP\/|HTTP\/1\.?|HTTP\/1\.\d{1,3} *)?$/

/** Empty: there is none. A number is the status to refuse with. */
function readVersion(text: string, isPart: boolean): '1.0' | '1.1' | '' | number | 'incomplete' {
  if (/^HTTP\/(?:[2-9]|1\d)/.test(text)) return 505
  const minor = VERSION.exec(text)?.[1]
  if (isPart) return VERSION_START.test(text) ? 'incomplete' : 400
  if (text === '') return ''
  if (minor === undefined || Number(minor) > 99) return 400
  return minor === '0' || minor === '00' ? '1.0' : '1.1'
}
