// What a request target asks for, in the canonical form of HTTP.sys (its registry values, KB 820129).
import { withoutDots } from '../../protocol/dot-segments.ts'

export interface Path {
  /** Decoded, without dot segments; a backslash is a slash. */
  readonly path: string
  readonly query: string | undefined
  /** As it was sent, without host and query. */
  readonly raw: string
}

/** UrlSegmentMaxLength and UrlSegmentMaxCount. */
const MAX_SEGMENT_CHARACTERS = 260
const MAX_SEGMENTS = 255

/** Undefined: HTTP.sys refuses it. */
export function pathOf(target: string): Path | undefined {
  const rest = target.replace(/^https?:\/\/[^/?]*/i, '')
  const at = rest.indexOf('?')
  const [raw, query] = at < 0 ? [rest || '/', undefined] : [rest.slice(0, at) || '/', rest.slice(at + 1)]
  const text = decoded(raw)
  if (text === undefined) return undefined
  const segments = text.replaceAll('\\', '/').split('/').slice(1)
  if (segments.length > MAX_SEGMENTS) return undefined
  if (segments.some((segment) => segment.length > MAX_SEGMENT_CHARACTERS)) return undefined
  const path = withoutDots(segments)
  return path === undefined ? undefined : { path, query, raw }
}

/**
 * PercentUAllowed is on, AllowRestrictedChars is off: no control characters. Bytes are UTF-8 where they can be
 * (EnableNonUTF8).
 */
function decoded(raw: string): string | undefined {
  if (/%(?!u[\da-f]{4}|[\da-f]{2})/i.test(raw)) return undefined
  const bytes = raw.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  const utf8 = Buffer.from(bytes, 'latin1').toString('utf8')
  const text = utf8.includes('\uFFFD') ? bytes : utf8
  const whole = text.replace(/%u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  return /[\x00-\x1f\x7f-\x9f]/.test(whole) ? undefined : whole
}
